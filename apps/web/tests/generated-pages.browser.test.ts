import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { attackingPages } from './support/page-attacks.ts'

let pages: ReturnType<typeof attackingPages> = []
const LOOP = '<title>loop</title><script>for (;;) {}</script>'

const scene = liveScene({
  // One of the ways is a service worker.
  forLater: true,
  // What they try is refused by the browser, which says so.
  forgiven: /./,
  reply: () => ({
    parts: [
      {
        type: 'text',
        text: [...pages.map(({ html }) => html), LOOP].map((html) => `\`\`\`html\n${html}\n\`\`\``).join('\n\n'),
      },
    ],
  }),
})

/** Hears every connection and every datagram. */
async function openCanary() {
  const heard: string[] = []
  const server = createServer((socket) => {
    heard.push('a connection')
    socket.on('error', () => {})
    socket.on('data', (data) => {
      heard.push(data.toString('latin1').split('\r\n')[0] ?? '')
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\naccess-control-allow-origin: *\r\n\r\n')
    })
  })
  const datagrams = createSocket('udp4', () => heard.push('a datagram'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('It listens at no port')
  return {
    heard,
    canary: `127.0.0.1:${address.port}`,
    datagrams: `127.0.0.1:${datagrams.address().port}`,
    async close() {
      datagrams.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const generated = (page: Page): Frame | undefined => page.frames().find((frame) => frame !== page.mainFrame())

/** What an attack says that it got; null once its document is gone. */
async function resultOf(page: Page): Promise<string | null | undefined> {
  const frame = generated(page)
  if (frame === undefined) return undefined
  if (frame.url() === '' || frame.url() === 'about:blank') return undefined
  if (!frame.url().endsWith('/generated-page')) return null
  return frame.evaluate(() => document.documentElement.dataset['result']).catch(() => undefined)
}

test('[PREV12] none of more than sixty ways leads out of a generated page', async () => {
  const { close, heard, ...targets } = await openCanary()
  pages = attackingPages({ ...targets, holdfast: scene.holdfast.url })
  const page = await scene.enter()
  const opened: string[] = []
  page.on('dialog', (dialog) => {
    opened.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('download', (download) => opened.push(`download ${download.suggestedFilename()}`))
  scene.context.on('page', (popup) => opened.push(`window ${popup.url()}`))
  await say(page, 'Show me pages')
  await untilTurn(page, 'completed')
  const url = page.url()
  // The title comes by itself, after the answer: of what the model says to that, which is what it says to everything.
  await expect.poll(() => page.title()).toBe('html — Holdfast')
  const before = await page.evaluate(() => [document.title, document.cookie, localStorage.length].join())
  const results: string[] = []
  const buttons = page.getByTestId('open-page')
  await expect.poll(() => buttons.count()).toBe(pages.length + 1)
  for (const [index, { names }] of pages.entries()) {
    const message = names.join()
    await buttons.nth(index).click()
    await expect.poll(() => resultOf(page), { message, timeout: 10_000 }).not.toBeUndefined()
    results.push(...((await resultOf(page)) ?? `${message}: gone`).split('\n'))
    await page.locator('dialog[open]').getByRole('button', { name: 'Close page' }).click()
    await expect.poll(() => page.frames().length).toBe(1)
    expect(page.url(), message).toBe(url)
    expect(heard, message).toEqual([])
  }
  expect(opened).toEqual([])
  expect(pages.flatMap(({ names }) => names).length).toBeGreaterThan(100)
  expect(results.filter((line) => !/: (?:refused|gone|tried)/.test(line))).toEqual([])
  expect(await page.evaluate(() => [document.title, document.cookie, localStorage.length].join())).toBe(before)
  await close()
}, 240_000)

test('[PREV12] a page that never comes to an end holds up nothing around it', async () => {
  pages = []
  const page = await scene.enter()
  await say(page, 'Show me pages')
  await untilTurn(page, 'completed')
  await page.getByTestId('open-page').click()
  await page.locator('dialog[open]').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByTestId('generated-frame').count()).toBe(0)
  await say(page, 'Still there?')
  await expect.poll(() => page.getByTestId('turn').count()).toBe(2)
  await untilTurn(page, 'completed')
})
