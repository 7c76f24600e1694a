import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { toSection } from './support/settings-section.ts'

const scene = liveScene({})

/** Words that stand in a column of a letter or two: what has more than this many lines is wider than this, in CSS pixels. */
const SQUEEZED = { lines: 4, width: 60 } as const

/** The texts on the page that nobody can read, for they have no room. */
async function squeezedTexts(page: Page): Promise<readonly string[]> {
  return page.locator('body').evaluate((body, { lines, width }) => {
    const found: string[] = []
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const words = text.textContent?.trim() ?? ''
      if (words.length < 8 || text.parentElement?.checkVisibility({ visibilityProperty: true }) !== true) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const box = range.getBoundingClientRect()
      const lineHeight = Number.parseFloat(getComputedStyle(text.parentElement).lineHeight) || 20
      if (box.width < width && box.height > lines * lineHeight) found.push(words)
    }
    return found
  }, SQUEEZED)
}

async function isClean(page: Page): Promise<void> {
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
}

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true })
  for (let press = 0; press < 60; press += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

test('[UI1] axe finds nothing on any page of the settings, all words have room, and the keyboard reaches their list', async () => {
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/appearance`)
  const links = page.locator('nav a[href*="/settings/"]')
  await links.first().waitFor()
  const sections = await links.evaluateAll((all) =>
    all.map((link) => link.getAttribute('href')?.split('/').at(-1) ?? ''),
  )
  expect(sections.length).toBeGreaterThan(12)
  const squeezed: string[] = []
  for (const section of sections) {
    await toSection(page, section)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      for (const words of await squeezedTexts(page)) squeezed.push(`${section} at ${width}: ${words}`)
    }
    await isClean(page)
  }
  expect(squeezed).toEqual([])
  await page.getByRole('link', { name: 'Memories' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-testid=settings][data-state=memories]').waitFor()
}, 120_000)

test('[UI117] the page has its whole width while its scripts have not heard that the window is wide again', async () => {
  const page = await scene.enter()
  await page.setViewportSize({ width: 1280, height: 844 })
  // What the page is told for as long as it was not told of the change: that the window is narrow.
  await page.addInitScript(() => {
    const asked = matchMedia.bind(window)
    window.matchMedia = (query) => asked(query === '(max-width: 899px)' ? 'all' : query)
  })
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  await page.locator('.settings-lead').waitFor()
  expect(await page.locator('dialog.drawer').count()).toBe(1)
  expect(await page.locator('main').evaluate((main) => main.getBoundingClientRect().width)).toBe(1280)
  expect(await squeezedTexts(page)).toEqual([])
}, 60_000)

test('[UI1] what opens over or beside a conversation is opened and closed by the keyboard, gives the focus back, and axe finds nothing in it', async () => {
  const page = await scene.enter()
  await say(page, '/demo canvas-dashboard')
  await untilTurn(page, 'completed')
  await page.getByTestId('dock-tab-canvas').waitFor()
  await isClean(page)
  await page.getByTestId('dock-tab-canvas').focus()
  for (const tab of ['tools', 'inspector'] as const) {
    await page.keyboard.press('ArrowLeft')
    await page.locator(`[data-testid=dock-tab-${tab}][aria-selected=true]`).waitFor()
    await page.getByTestId(tab === 'tools' ? 'tool-mode' : 'inspector-context').waitFor()
    await isClean(page)
  }

  for (const { opener, view } of [
    { opener: 'Import…', view: page.getByRole('dialog', { name: 'Import conversations' }) },
    { opener: 'Export', view: page.getByRole('region', { name: 'Export as' }) },
  ]) {
    await page.getByRole('button', { name: 'New conversation' }).focus()
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    await view.waitFor()
    await isClean(page)
    await page.keyboard.press('Escape')
    await view.waitFor({ state: 'hidden' })
    const back = page.getByRole('button', { name: opener, exact: true })
    await expect.poll(() => back.evaluate((element) => element === document.activeElement)).toBe(true)
  }

  await page.getByTestId('msg-user').first().focus()
  await page.keyboard.press('e')
  const field = page.getByLabel('Edited message')
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await isClean(page)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
}, 90_000)
