import {
  conversationCreated,
  runFinished,
  stepFinished,
  stepStarted,
  textBlock,
  wholeTurn,
} from '@holdfast/conversation/testing'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilTurn } from './support/browser.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { askedWithCalls } from './support/told-turns.ts'

const scene = scriptedScene()

/** A message in view, and where it stands under the upper edge of the thread, in pixels. */
interface Place {
  readonly words: string
  readonly top: number
}

const PLACE = `(() => {
  const edge = document.querySelector('.thread').getBoundingClientRect().top
  const shown = [...document.querySelectorAll('[data-testid=msg-user]')]
  const first = shown.find((element) => element.getBoundingClientRect().top > edge)
  return first && { words: first.querySelector('.words').textContent, top: Math.round(first.getBoundingClientRect().top - edge) }
})()`

/**
 * Keeps in `seen` which message stands first in each frame that is painted. The browser itself says where things stand in the
 * frame: a script that looks between two frames also sees what is put right before the next one is painted.
 */
const WATCH_FRAMES = `(() => {
  globalThis.seen = new Set()
  const keep = (messages, observer) => {
    observer.disconnect()
    const [first] = messages
      .filter(({ isIntersecting, boundingClientRect, rootBounds }) => isIntersecting && boundingClientRect.top > rootBounds.top)
      .filter(({ target }) => target.checkVisibility({ visibilityProperty: true }))
      .sort((one, other) => one.boundingClientRect.top - other.boundingClientRect.top)
    if (first) seen.add(first.target.querySelector('.words').textContent)
  }
  const watch = () => requestAnimationFrame(() => {
    const thread = document.querySelector('.thread')
    const observer = new IntersectionObserver(keep, { root: thread })
    for (const message of thread?.querySelectorAll('[data-testid=msg-user]') ?? []) observer.observe(message)
    watch()
  })
  watch()
})()`

/** Turns of differing length. */
function turns(count: number) {
  const written = Array.from({ length: count }, (_, index) =>
    wholeTurn(index, {
      asked: `Question ${index}?`,
      answered: `Answer ${index}. ${'Words of it. '.repeat((index * 37) % 90)}`,
    }),
  )
  return [conversationCreated('local'), ...written.flat()]
}

function placeOf(page: Page): Promise<Place> {
  return page.evaluate(PLACE)
}

/** Scrolls up by the wheel and waits until nothing moves any more. */
async function scrollUp(page: Page, px: number): Promise<Place> {
  await page.getByRole('log').hover()
  for (let gone = 0; gone < px; gone += 600) {
    await page.mouse.wheel(0, -600)
    await page.waitForTimeout(30)
  }
  let before = await placeOf(page)
  await expect
    .poll(async () => {
      const last = before
      await page.waitForTimeout(300)
      before = await placeOf(page)
      return JSON.stringify(before) === JSON.stringify(last)
    })
    .toBe(true)
  return before
}

test('[UI12] a conversation is left and entered again, and stands at the same words, from the first frame on', async () => {
  scene.line.append(turns(60))
  const page = await scene.open()
  await page.getByText('Answer 59.').waitFor()
  await page.waitForTimeout(600)
  const before = await scrollUp(page, 4_200)
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByRole('heading', { level: 1, name: 'New conversation' }).waitFor()
  await page.evaluate(WATCH_FRAMES)
  await page.goBack()
  await expect.poll(() => placeOf(page)).toEqual(before)
  await page.waitForTimeout(1_000)
  expect(await placeOf(page)).toEqual(before)
  expect(await page.evaluate('[...seen]')).toEqual([before.words])
  await page.addInitScript(WATCH_FRAMES)
  await page.reload()
  await expect.poll(() => placeOf(page)).toEqual(before)
  await page.waitForTimeout(1_000)
  expect(await placeOf(page)).toEqual(before)
  expect(await page.evaluate('[...seen]')).toEqual([before.words])
}, 60_000)

test('[UI12] a place far back in a long conversation is found again after a reload', async () => {
  scene.line.append(turns(400))
  const page = await scene.open()
  await page.getByText('Answer 399.').waitFor()
  await page.waitForTimeout(600)
  const before = await scrollUp(page, 30_000)
  await page.addInitScript(WATCH_FRAMES)
  await page.reload()
  await expect.poll(() => placeOf(page)).toEqual(before)
  await page.waitForTimeout(1_000)
  expect(await placeOf(page)).toEqual(before)
  expect(await page.evaluate('[...seen]')).toEqual([before.words])
}, 60_000)

test('[UI12] the way back down says how much is new there', async () => {
  scene.line.append(turns(30))
  const page = await scene.open()
  await page.getByText('Answer 29.').waitFor()
  await page.waitForTimeout(600)
  await scrollUp(page, 1_200)
  const jump = page.getByTestId('jump-latest')
  await expect.poll(() => jump.innerText()).toBe('Jump to latest')
  scene.line.append([30, 31].flatMap((number) => wholeTurn(number, { asked: 'More?', answered: 'More.' })))
  await expect.poll(() => jump.innerText()).toBe('Jump to latest · 4 new')
  await jump.click()
  await page.getByText('More.').last().waitFor()
  await expect.poll(() => jump.count()).toBe(0)
}, 60_000)

const GROWN = [
  ...Array.from({ length: 300 }, (_, index) => `- item ${index} of the list`),
  '',
  '```js',
  ...Array.from({ length: 220 }, (_, index) => `const line${index} = ${index}`),
  '```',
  '',
  ...Array.from({ length: 40 }, (_, index) => `Paragraph ${index}.\\n`),
].join('\\n')

/** How high the thread says it is, and how high it is when all of it is painted. */
const HEIGHTS = `(() => {
  const thread = document.querySelector('.thread')
  const said = thread.scrollHeight
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets = [sheet]
  const painted = thread.scrollHeight
  document.adoptedStyleSheets = []
  return { said, painted }
})()`

test('[UI12] what is not painted has its real height, while it grows, after a reload, and when it has ended', async () => {
  scene.line.append(askedWithCalls({ asked: 'Look', answered: 'I will.' }, []))
  scene.line.append([stepStarted('run_1', 'step_2', 'turn')])
  const page = await scene.open()
  for (let at = 0; at < GROWN.length; at += 700) {
    scene.line.say('step_2', GROWN.slice(at, at + 700))
    await page.waitForTimeout(20)
  }
  await page.getByText('Paragraph 39.').waitFor()
  await expectPainted(page)
  await page.reload()
  await page.getByText('Paragraph 39.').waitFor()
  await expectPainted(page)
  const words = page.getByText('Paragraph 39.')
  const before = (await words.boundingBox())?.y ?? 0
  scene.line.append([stepFinished('run_1', 'step_2', [textBlock(GROWN)]), runFinished('run_1', 'completed')])
  await untilTurn(page, 'completed')
  await expectPainted(page)
  expect(Math.abs(((await words.boundingBox())?.y ?? 0) - before)).toBeLessThan(120)
}, 60_000)

async function expectPainted(page: Page): Promise<void> {
  await page.waitForTimeout(400)
  const { said, painted } = await page.evaluate<{ said: number; painted: number }>(HEIGHTS)
  expect(Math.abs(said - painted)).toBeLessThanOrEqual(4)
}
