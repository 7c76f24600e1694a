import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const ALLOWED = { permissions: { rules: [{ id: 'all', effect: 'allow', tool: '*' }] } }
const scene = liveScene({ config: ALLOWED, workspace: {} })

const kettle = () => join(scene.folder, 'holdfast-demo', 'review', 'kettle.js')
const teas = () => join(scene.folder, 'holdfast-demo', 'review', 'teas.txt')

/** A tab in which two files were made and then changed in several places, with their review open. */
async function openReview() {
  const page = await scene.enter()
  await say(page, '/demo review')
  await untilTurn(page, 'completed')
  const before = { kettle: await readFile(kettle(), 'utf8'), teas: await readFile(teas(), 'utf8') }
  await say(page, '/demo review')
  await expect.poll(() => page.getByTestId('changed-files').count(), { timeout: 15_000 }).toBe(2)
  await untilTurn(page, 'completed')
  const after = { kettle: await readFile(kettle(), 'utf8'), teas: await readFile(teas(), 'utf8') }
  await page.getByTestId('changed-files').last().getByRole('button', { name: 'Review…' }).click()
  const review = page.getByTestId('review')
  await expect.poll(() => review.getByTestId('review-hunk').count()).toBeGreaterThan(2)
  return { page, review, before, after }
}

test('[UI73, UI75] a turn is reviewed by keys: next, reject, keep, undo; files on disk are what the choice shows', async () => {
  const { page, review, before, after } = await openReview()
  await expect.poll(() => axeProblems(page)).toEqual([])
  await expect.poll(() => review.innerText()).toContain('2 files changed')
  await review.locator('.review-scroll').focus()
  // The server is slow to tell of the two: they are taken back before it has.
  await page.route(
    '**/changes/decide',
    async (route) => {
      const response = await route.fetch()
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.fulfill({ response })
    },
    { times: 2 },
  )
  await page.keyboard.press('n')
  await page.keyboard.press('x')
  const half = before.kettle.split('\n').slice(0, 3).join('\n')
  await expect.poll(() => readFile(kettle(), 'utf8')).toContain(half)
  expect(await readFile(kettle(), 'utf8')).not.toBe(before.kettle)
  await page.keyboard.press('a')
  await expect.poll(() => review.locator('[data-testid=review-hunk][data-state=kept]').count()).toBe(1)
  await page.keyboard.press('u')
  await page.keyboard.press('u')
  await expect.poll(() => readFile(kettle(), 'utf8')).toBe(after.kettle)
  // Of a long list only what is in sight is drawn.
  await expect.poll(() => review.locator('[data-testid=review-hunk][data-state=rejected]').count()).toBe(0)

  await review.getByRole('button', { name: 'Reject all' }).click()
  await expect.poll(() => readFile(kettle(), 'utf8')).toBe(before.kettle)
  await expect.poll(() => readFile(teas(), 'utf8')).toBe(before.teas)
  await expect.poll(() => review.locator('[data-testid=review-file][data-state=rejected]').count()).toBe(2)
}, 90_000)

test('[UI74] words that differ are marked, below each other and side by side', async () => {
  const { review } = await openReview()
  const marks = review.locator('.review-line mark')
  await expect.poll(() => marks.allInnerTexts()).toContain('100')
  await review.getByRole('button', { name: 'Side by side' }).click()
  await expect.poll(() => review.locator('.review-pair').count()).toBeGreaterThan(5)
  await expect.poll(() => marks.allInnerTexts()).toContain('100')
}, 90_000)

test('[UI76] lines are chosen: a note goes into the message with path and lines, and a line alone is rejected', async () => {
  const { page, review, before } = await openReview()
  await review
    .getByRole('button', { name: /^Added line 3$/ })
    .first()
    .click()
  await review.getByRole('button', { name: 'Note…' }).click()
  await review.getByRole('textbox').fill('Why so hot?')
  await review.getByRole('button', { name: 'Add to the message' }).click()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('Why so hot?')
  await expect.poll(() => page.getByTestId('along-chip').innerText()).toContain('holdfast-demo/review/kettle.js:3')

  await review
    .getByRole('button', { name: /^Added line 3$/ })
    .first()
    .click()
  await review.getByRole('button', { name: /Reject lines/ }).click()
  await expect.poll(() => readFile(kettle(), 'utf8')).not.toContain('HOT = 100')
  expect(await readFile(kettle(), 'utf8')).not.toContain(before.kettle.split('\n')[2])
}, 90_000)

test('[UI77] what somebody else changed since is said, merged where lines tell it apart, and never lost', async () => {
  const { review, after } = await openReview()
  await writeFile(kettle(), after.kettle.replace('// A kettle of the demo.', '// Mine.'))
  await writeFile(teas(), after.teas.replace('Sencha, 90 seconds', 'Sencha, my way'))
  await review.getByRole('button', { name: 'Last turn' }).click()
  await expect.poll(() => review.innerText()).toContain('changed since by something else')
  await review.getByRole('button', { name: /^Reject: .*kettle.js, line 2/ }).click()
  await expect.poll(() => readFile(kettle(), 'utf8')).toContain("'The water has '")
  expect(await readFile(kettle(), 'utf8')).toContain('// Mine.')
  expect(await readFile(teas(), 'utf8')).toContain('my way')
}, 90_000)

test('[UI78] on a phone one thumb goes from hunk to hunk, keeps and rejects', async () => {
  const { page, review, before } = await openReview()
  await page.setViewportSize({ width: 390, height: 844 })
  const bar = review.getByTestId('review-bar')
  await bar.getByRole('button', { name: 'Next' }).click()
  for (const name of ['Previous', 'Next', 'Reject', 'Keep', 'Undo']) {
    const box = await bar.getByRole('button', { name }).boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(box?.y).toBeGreaterThan(844 / 2)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  }
  await bar.getByRole('button', { name: 'Reject' }).click()
  await bar.getByRole('button', { name: 'Keep' }).click()
  await expect.poll(() => readFile(kettle(), 'utf8')).toContain(before.kettle.split('\n')[2])
  await expect.poll(() => review.locator('[data-testid=review-hunk][data-state=kept]').count()).toBe(1)
}, 90_000)
