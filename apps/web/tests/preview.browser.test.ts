import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reply, SeenRequest } from '@holdfast/conformance'
import type { Frame, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const PAGE = `<!doctype html><html><head><title>Shop</title></head><body>
<main><h1>Shop</h1><button id="save" class="primary">Save</button><p id="out"></p></main>
<script src="app.js"></script></body></html>`
const WHOLE = `document.getElementById('out').textContent = 'works'\n`
const BROKEN = `document.getElementById('out').textContent = missing.value\n`

/** What the strict provider answers: it writes the page's code broken or whole, by what it was asked. */
const answers: { next: string[] } = { next: [] }

const scene = liveScene({
  workspace: { 'index.html': PAGE, 'app.js': WHOLE },
  config: { permissions: { mode: 'bypass' } },
  reply: (request: SeenRequest): Reply => {
    const text = answers.next.shift()
    if (text === undefined) return { parts: [{ type: 'text', text: 'Done.' }] }
    return {
      parts: [{ type: 'tool-call', name: 'write', input: { path: 'app.js', content: text } }],
    }
  },
  forgiven: /request to http:\/\/[^/]+\.localhost|missing is not defined|console: .*missing/,
})

async function openPreview(page: Page): Promise<Frame> {
  await page.getByTestId('dock-tab-preview').click()
  await page.getByRole('button', { name: 'Show the files' }).click()
  await page.locator('[data-testid=preview][data-heard=true]').waitFor()
  return shownFrame(page)
}

async function shownFrame(page: Page): Promise<Frame> {
  const handle = await page.getByTestId('preview-frame').elementHandle()
  const frame = await handle?.contentFrame()
  if (!frame) throw new Error('The preview shows no frame')
  return frame
}

test('[PREV4] a click on a button of the preview puts it into the composer, with what goes along removable', async () => {
  const page = await scene.enter()
  await say(page, 'Hello')
  await untilTurn(page, 'completed')
  const frame = await openPreview(page)
  await page.getByTestId('pick').click()
  await frame.locator('#save').hover({ force: true })
  await page.mouse.down()
  await page.mouse.up()
  const chip = page.getByTestId('along-chip')
  await expect.poll(() => chip.innerText()).toContain('Save')
  await chip.locator('button').first().click()
  await page.getByRole('button', { name: 'Leave out html' }).click()
  await expect.poll(() => page.getByTestId('element-fields').innerText()).not.toContain('<button')
})
