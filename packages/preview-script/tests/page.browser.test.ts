import { createServer, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { PickedElement, PreviewTold } from '@holdfast/protocol'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readPreviewScript } from '../src/index.ts'
import { openBrowser, type ShownPage, show } from './support/shown-project.ts'

let browser: Browser
let server: Server
let html = ''
let shown: ShownPage | null = null

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

beforeEach(async () => {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/inner' ? '<button id="inside">Inside</button>' : html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  await shown?.close()
  shown = null
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function open(page: string): Promise<ShownPage> {
  html = `<!doctype html>${page}`
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server listens at no port')
  shown = await show(browser, `http://127.0.0.1:${address.port}/`)
  return shown
}

async function toldOf<Type extends PreviewTold['type']>(page: ShownPage, type: Type) {
  const all = (await page.told()).map((one) => PreviewTold.parse(one))
  return all.filter((one): one is Extract<PreviewTold, { type: Type }> => one.type === type)
}

async function pickAt(page: ShownPage, at: { x: number; y: number }): Promise<PickedElement> {
  const before = (await toldOf(page, 'picked')).length
  await page.order({ type: 'pick', on: true })
  await page.page.mouse.move(at.x, at.y)
  await page.page.mouse.click(at.x, at.y)
  await expect.poll(async () => (await toldOf(page, 'picked')).length).toBeGreaterThan(before)
  return PickedElement.parse((await toldOf(page, 'picked')).at(-1)?.element)
}

test('[PREV21] is one function of at most 30 kB compressed', async () => {
  const script = await readPreviewScript()
  expect(script.startsWith('(function (given) {')).toBe(true)
  expect(gzipSync(script).length).toBeLessThan(30_000)
})

test('[PREV21] tells of a page that throws without an end four times a second, each error once', async () => {
  const startedAt = Date.now()
  const page = await open(`<script>
    window.thrown = 0
    const timer = setInterval(() => {
      if (window.thrown > 12000) return clearInterval(timer)
      for (let index = 0; index < 100; index += 1)
        try { throw new Error('number ' + window.thrown) } catch (error) { window.thrown += 1; reportError(error) }
    }, 10)
  </script>`)
  await expect.poll(() => page.frame.evaluate(() => Reflect.get(window, 'thrown'))).toBeGreaterThan(10_000)
  const told = await toldOf(page, 'errors')
  const seconds = (Date.now() - startedAt) / 1_000
  expect(told.length).toBeLessThanOrEqual(seconds * 4 + 4)
  expect(told.at(-1)?.errors).toHaveLength(1)
  expect(told.at(-1)?.errors[0]?.count).toBeGreaterThan(1_000)
})

test('[PREV5] keeps twenty different errors, and counts what comes beyond', async () => {
  const page = await open(`<script>
    for (let index = 0; index < 30; index += 1) reportError(new Error('of the letter ' + 'abcdefghijklmnopqrstuvwxyzABCD'[index]))
  </script>`)
  await expect.poll(async () => (await toldOf(page, 'errors')).at(-1)).toMatchObject({ droppedCount: 10 })
  expect((await toldOf(page, 'errors')).at(-1)?.errors).toHaveLength(20)
})

test('[PREV5] tells of what was thrown, rejected, logged and not loaded', async () => {
  const page = await open(`<script>
    setTimeout(() => missing.value, 1)
    Promise.reject(new TypeError('rejected'))
    console.error('logged', 7)
  </script><img src="/nowhere.png" onerror="1"><link rel="stylesheet" href="http://127.0.0.1:1/gone.css">`)
  await expect.poll(async () => (await toldOf(page, 'errors')).at(-1)?.errors.length).toBe(5)
  const kinds = (await toldOf(page, 'errors')).at(-1)?.errors.map(({ kind, name }) => `${kind} ${name}`)
  expect(kinds?.toSorted()).toEqual([
    'console ConsoleError',
    'error ReferenceError',
    'rejection TypeError',
    'resource ResourceError',
    'resource ResourceError',
  ])
})

test('[PREV20] nothing of the port is seen by a page that replaces everything it speaks with', async () => {
  const page = await open(`<script>
    window.seen = []
    const catching = (owner, name) => {
      const before = owner[name]
      owner[name] = function (...given) { window.seen.push(name); return before.apply(this, given) }
    }
    catching(MessagePort.prototype, 'postMessage'); catching(EventTarget.prototype, 'addEventListener')
    catching(Window.prototype, 'postMessage'); catching(window, 'setTimeout')
    Object.defineProperty(MessageEvent.prototype, 'data', { get() { window.seen.push('data') } })
    addEventListener('message', () => window.seen.push('message'))
    document.title = 'changed'; window.seen.length = 0
  </script><button>One</button>`)
  await page.order({ type: 'outline' })
  await expect.poll(async () => (await toldOf(page, 'outline')).length).toBe(1)
  await page.order({ type: 'flash', selector: 'button' })
  await expect.poll(async () => (await toldOf(page, 'flashed')).at(-1)?.found).toBe(true)
  expect(await page.frame.evaluate(() => Reflect.get(window, 'seen'))).toEqual([])
})

test('[PREV4] no event that the page makes itself is a pick', async () => {
  const page = await open('<button id="one" style="width:200px;height:60px">One</button>')
  await page.order({ type: 'pick', on: true })
  await page.frame.evaluate(() => {
    const button = document.querySelector('button')
    for (const type of ['pointermove', 'click'])
      button?.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: 20, clientY: 20 }))
    dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))
  })
  await page.order({ type: 'outline' })
  await expect.poll(async () => (await toldOf(page, 'outline')).length).toBe(1)
  expect(await toldOf(page, 'picked')).toEqual([])
})

test('[PREV4] picks in a shadow, in a frame, over a drawing and below a veil', async () => {
  const page = await open(`<style>body{margin:0} *{box-sizing:border-box}</style>
    <div id="host" style="height:100px"></div>
    <iframe src="/inner" style="display:block;height:100px;border:0"></iframe>
    <svg id="drawn" width="100" height="100" style="display:block"><path d="M0 0h100v100H0z"/></svg>
    <div style="position:fixed;inset:0"></div>
    <script>
      const root = document.getElementById('host').attachShadow({ mode: 'open' })
      const button = document.createElement('button')
      button.textContent = 'Shadow'; button.style.cssText = 'width:100px;height:50px'
      root.append(button)
    </script>`)
  expect((await pickAt(page, { x: 20, y: 20 })).selector).toBe('#host >>> button')
  const inside = await pickAt(page, { x: 15, y: 118 })
  expect(inside.html).toContain('id="inside"')
  expect(inside.selector).toContain(' >>> #inside')
  expect((await pickAt(page, { x: 50, y: 250 })).selector).toBe('#drawn')
})

test('[PREV4] picks by the keys alone: next, parent, child, and out again', async () => {
  const page = await open('<main><p id="one">One</p><p id="two">Two <b>bold</b></p></main>')
  await page.order({ type: 'pick', on: true })
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab']) await page.order({ type: 'key', key, shift: false })
  await expect.poll(async () => (await toldOf(page, 'pointed')).at(-1)?.label).toBe('b "bold"')
  await page.order({ type: 'key', key: 'ArrowUp', shift: false })
  await page.order({ type: 'key', key: 'Enter', shift: true })
  await page.order({ type: 'key', key: 'ArrowDown', shift: false })
  await page.order({ type: 'key', key: 'Enter', shift: false })
  await expect.poll(async () => (await toldOf(page, 'pick-ended')).length).toBe(1)
  expect((await toldOf(page, 'picked')).map(({ element }) => element.selector)).toEqual([
    '#two',
    expect.stringContaining('b'),
  ])
})

test('[PREV4] picks from the outline, and says when an element is not there any more', async () => {
  const page = await open('<button id="one">One</button>')
  await page.order({ type: 'outline' })
  await expect.poll(async () => (await toldOf(page, 'outline')).length).toBe(1)
  const [node] = (await toldOf(page, 'outline')).at(-1)?.nodes ?? []
  expect(node?.label).toBe('button · button#one "One"')
  await page.order({ type: 'pick-node', id: node?.id })
  await expect.poll(async () => (await toldOf(page, 'picked')).at(-1)?.element.selector).toBe('#one')
  await page.frame.evaluate(() => document.querySelector('button')?.remove())
  await page.order({ type: 'flash', selector: '#one' })
  await expect.poll(async () => (await toldOf(page, 'flashed')).at(-1)?.found).toBe(false)
})
