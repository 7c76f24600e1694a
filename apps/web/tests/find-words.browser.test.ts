import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { shots } from './support/shots.ts'

const scene = scriptedScene()

function longConversation() {
  const turns = Array.from({ length: 400 }, (_, index) =>
    wholeTurn(index, {
      asked: `Question ${index}?`,
      answered:
        index % 100 === 7 ? `A **hedgehog** and a Hedgehog, ${index}.` : `Answer ${index}. ${'Words. '.repeat(30)}`,
    }),
  )
  return [conversationCreated('local'), ...turns.flat()]
}

test('[UI13] words are found in all of a long conversation, counted and marked, also where nothing was drawn yet', async () => {
  scene.line.append(longConversation())
  const page = await scene.open()
  await page.getByText('Answer 399.').waitFor()
  await page.getByRole('log').focus()
  await page.keyboard.press('Control+f')
  const field = page.getByLabel('Find in this conversation')
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await field.fill('hedgehog')
  const count = page.getByTestId('find-count')
  await expect.poll(() => count.innerText()).toBe('8 of 8')
  await page.getByText('and a Hedgehog, 307.').waitFor()
  await field.press('Enter')
  await field.press('Enter')
  await expect.poll(() => count.innerText()).toBe('6 of 8')
  const found = page.getByText('and a Hedgehog, 207.')
  await found.waitFor()
  await expect.poll(async () => (await found.boundingBox())?.y ?? 0).toBeGreaterThan(60)
  await expect.poll(async () => (await found.boundingBox())?.y ?? 0).toBeLessThan(700)
  await expect.poll(() => page.evaluate("[...CSS.highlights.get('found-now')].map(String)")).toEqual(['Hedgehog'])
  await expect.poll(() => axeProblems(page)).toEqual([])
  await field.press('Shift+Enter')
  await expect.poll(() => count.innerText()).toBe('7 of 8')
  await shots(page, 'find')
  await field.fill('nowhere at all')
  await expect.poll(() => count.innerText()).toBe('Nothing found')
  expect(await page.evaluate("CSS.highlights.has('found-now')")).toBe(false)
  await field.press('Escape')
  await expect.poll(() => field.count()).toBe(0)
  await expect.poll(() => page.evaluate('CSS.highlights.size')).toBe(0)
}, 60_000)

test('[UI13] words that stand on a page which is not read yet are shown as soon as it is', async () => {
  scene.line.append(longConversation())
  const asked = Promise.withResolvers<void>()
  await scene.context.route(/\/entries\?/, async (route) => {
    await asked.promise
    await route.fallback()
  })
  const page = await scene.open()
  await page.getByText('Answer 399.').waitFor()
  await page.getByRole('log').focus()
  await page.keyboard.press('Control+f')
  await page.getByLabel('Find in this conversation').fill('hedgehog')
  const count = page.getByTestId('find-count')
  await expect.poll(() => count.innerText()).toContain('Nothing found')
  asked.resolve()
  await expect.poll(() => count.innerText()).toBe('8 of 8')
  const found = page.getByText('and a Hedgehog, 307.')
  await found.waitFor()
  await expect.poll(async () => (await found.boundingBox())?.y ?? 0).toBeGreaterThan(60)
  await expect.poll(async () => (await found.boundingBox())?.y ?? 0).toBeLessThan(700)
  await expect.poll(() => page.evaluate("[...CSS.highlights.get('found-now')].map(String)")).toEqual(['Hedgehog'])
}, 60_000)
