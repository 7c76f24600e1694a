import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({ workspace: { 'notes.md': 'The blade moves with every wave.\n' } })

/** Thinking, Markdown of every kind, tools, scripts of both directions, and a turn that failed. */
const SAID = ['/demo thinking', '/demo markdown-torture', '/demo tool-error', '/demo rtl', '/demo auth-error'] as const

test('[PRJ4] a page that is drawn from the log looks as the one that saw it stream, to the pixel', async () => {
  const live = await scene.enter()
  for (const words of SAID) {
    await say(live, words)
    await untilTurn(live, words === '/demo auth-error' ? 'error' : 'completed')
  }
  const replayed = await scene.openTab(live.url())
  await expect.poll(() => replayed.getByTestId('turn').count()).toBe(SAID.length)
  for (const page of [live, replayed]) {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1_200, height: 4_000 })
    await wholeInView(page)
    await page.getByRole('heading', { level: 1 }).hover()
  }
  await expect
    .poll(async () => (await thread(live)).equals(await thread(replayed)), { timeout: 20_000, interval: 500 })
    .toBe(true)
  await expect.poll(() => wordsOf(replayed)).toBe(await wordsOf(live))
}, 90_000)

/**
 * Moves the view up until all of the conversation is in it, so that nothing is compared with what is not drawn. Where
 * a view stands is the tab's: what was sent keeps its place near the upper edge in the tab that sent it [UI12].
 */
async function wholeInView(page: Page): Promise<void> {
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -10_000)
  await expect.poll(() => isInView(page.getByTestId('turn').first())).toBe(true)
  await expect.poll(() => isInView(page.getByTestId('turn').last())).toBe(true)
}

async function isInView(turn: Locator): Promise<boolean> {
  const [box, log] = await Promise.all([turn.boundingBox(), turn.page().getByRole('log').boundingBox()])
  return box !== null && log !== null && box.y >= log.y && box.y + box.height <= log.y + log.height
}

/** What a person sees of the conversation. */
function thread(page: Page): Promise<Buffer> {
  return page.getByRole('log').screenshot({ animations: 'disabled', caret: 'hide' })
}

function wordsOf(page: Page): Promise<string> {
  return page.getByRole('log').innerText()
}
