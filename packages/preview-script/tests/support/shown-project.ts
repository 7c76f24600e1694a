import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { readPreviewScript } from '../../src/index.ts'

/** What a page has heard of the script in its frame. */
export interface ShownPage {
  /** The frame's own window, to act in it as its person or its code does. */
  readonly frame: import('playwright-core').Frame
  readonly page: import('playwright-core').Page
  told(): Promise<readonly Record<string, unknown>[]>
  order(order: unknown): Promise<void>
  close(): Promise<void>
}

const PARENT = `<!doctype html><title>parent</title><body style="margin:0"><script>
window.told = []; window.hellos = []
addEventListener('message', (event) => {
  window.hellos.push({ type: event.data && event.data.type, secret: event.data && event.data.secret, ports: event.ports.length })
  if (event.data && event.data.secret === 'the-secret' && event.ports.length === 1) {
    window.port = event.ports[0]
    window.port.onmessage = ({ data }) => window.told.push(data)
  }
})
</script>`

/** A browser of the system for the tests of one file. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['HOLDFAST_CHROMIUM']
  if (executablePath === undefined) throw new Error('HOLDFAST_CHROMIUM names no browser')
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** Shows an address in a frame of another origin, with the script before all code of its page. */
export async function show(browser: Browser, url: string): Promise<ShownPage> {
  const parent = createHttp((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(PARENT)
  })
  await new Promise<void>((resolve) => parent.listen(0, '127.0.0.1', resolve))
  const { port } = parent.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } })
  const page = await context.newPage()
  const script = await readPreviewScript()
  const given = { secret: 'the-secret', parentOrigins: [origin], previewId: 'preview_1' }
  await context.addInitScript(`${script}(${JSON.stringify(given)})`)
  await page.goto(origin)
  await page.evaluate((address) => {
    const frame = document.createElement('iframe')
    frame.style.cssText = 'width:100%;height:100vh;border:0'
    frame.src = address
    document.body.append(frame)
  }, url)
  await page.waitForFunction(() => Reflect.get(window, 'told').some((one: { isLoaded?: true }) => one.isLoaded))
  const frame = page.frames()[1]
  if (frame === undefined) throw new Error('The page shows no frame')
  return {
    frame,
    page,
    told: () => page.evaluate(() => Reflect.get(window, 'told')),
    order: (order) => page.evaluate((asked) => Reflect.get(window, 'port').postMessage(asked), order),
    async close() {
      await context.close()
      parent.closeAllConnections()
      await new Promise((resolve) => parent.close(resolve))
    },
  }
}
