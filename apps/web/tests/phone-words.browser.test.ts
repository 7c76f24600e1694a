import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const TABLE = `What was measured:

| Name of the thing | What it does in words that are long | Count | Median in milliseconds |
| :-- | :-- | --: | --: |
| holdfast-store-sqlite | Keeps the log, drafts, snapshots, blobs and leases | 1,204,117 | 12.4 |
| a/very/long/path/without/any/space/in/it/that/goes/on/and/on/to/its/end.ts | Path | 7 | 0.2 |`

const scene = liveScene({ reply: { parts: [{ type: 'text', text: TABLE }] } })

/** Words of the table that are broken over lines, but those that are longer than a line. */
function brokenWords(page: Page): Promise<readonly string[]> {
  return page.locator('.table-frame').evaluate((frame) => {
    const broken: string[] = []
    for (const cell of frame.querySelectorAll('th, td')) {
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode()
      if (text === null) continue
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (range.getClientRects().length > 1 && word.length < 20) broken.push(word)
      }
    }
    return broken
  })
}

/** What pickers show that is not a name, and is cut. */
function cutPickers(page: Page): Promise<readonly string[]> {
  return page
    .locator('.composer .picker:not([data-name]) .picker-words')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent ?? ''))
}

test('[UI35] on a phone the words and figures of a table stay whole, and what is chosen beside the field can be read, in English and German', async () => {
  const page = await scene.enter()
  await say(page, 'What was measured?')
  await untilTurn(page, 'completed')
  for (const language of ['en', 'de']) {
    await page.evaluate(`localStorage.setItem('holdfast.preferences', JSON.stringify({ language: '${language}' }))`)
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 740 })
      await page.reload()
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language)
      await page.locator('.table-frame').waitFor()
      await page.getByTestId('thinking-picker').waitFor()
      expect(await brokenWords(page)).toEqual([])
      expect(await cutPickers(page)).toEqual([])
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wider).toBe(0)
    }
    await shots(page, `phone-words-${language}`)
  }
}, 90_000)
