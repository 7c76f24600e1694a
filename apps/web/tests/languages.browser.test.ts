import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, thriftyContext, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { toSection } from './support/settings-section.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({})

const WIDER = 'document.documentElement.scrollWidth - innerWidth'

/** Words of the page that do not fit where they stand. */
const CUT_OFF = `(() => {
  const places = document.querySelectorAll('button, a.button, label, legend, summary, th, h1, h2, h3, .meta')
  return [...places].filter((place) => {
    const { overflowX, textOverflow, clipPath } = getComputedStyle(place)
    const isSeen = place.checkVisibility() && clipPath === 'none' && place.closest('.visually-hidden, .row-acts') === null
    return isSeen && overflowX !== 'visible' && textOverflow !== 'ellipsis' && place.scrollWidth > place.clientWidth + 1
  }).map((place) => place.className + ': ' + place.textContent)
})()`

/** Words in English letters that no catalogue gave: everything that it gives is strange here. Names and values are not looked at. */
const NOT_STRANGE = `(() => {
  const places = document.querySelectorAll('button, a.button, legend, summary, h2, h3, label')
  const isValue = (place) => place.querySelector('code, kbd, select, input') !== null || place.closest('[dir=auto], .mono') !== null
  return [...places].filter((place) => place.checkVisibility() && !isValue(place))
    .map((place) => place.textContent.trim())
    .filter((words) => /[a-z]{3}/.test(words) && !words.includes('[') && words !== 'Markdown')
})()`

async function choose(page: Page, language: string): Promise<void> {
  await page.evaluate(`localStorage.setItem('holdfast.preferences', JSON.stringify({ language: '${language}' }))`)
  await page.reload()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language)
}

test('[UI8] a language is chosen in the settings and holds at once in every tab, without moving the focus', async () => {
  const page = await scene.enter()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
  await page.keyboard.press('Control+,')
  await page.getByTestId('settings').waitFor()
  const other = await scene.openTab(scene.holdfast.url)
  await page.getByLabel('Language').focus()
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('setting-language')
  await expect.poll(() => other.locator('html').getAttribute('lang')).toBe('de')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
  await page.getByLabel('Sprache').selectOption('browser')
  await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
  await expect.poll(() => other.locator('html').getAttribute('lang')).toBe('en')
})

test('[UI50] languages for tests are offered by the address alone', async () => {
  const page = await scene.enter()
  const offered = page.getByLabel('Language').locator('option')
  await page.goto(`${scene.holdfast.url}/settings/appearance`)
  await expect.poll(() => offered.count()).toBe(5)
  expect((await offered.allInnerTexts()).join()).not.toContain('XA')
  await page.goto(`${scene.holdfast.url}/settings/appearance?languages=test`)
  await expect.poll(() => offered.count()).toBe(8)
})

test('[UI8] the browser chooses the language where nobody else did', async () => {
  const context = await thriftyContext(scene.browser, { locale: 'de-AT' })
  try {
    const page = await context.newPage()
    await page.goto(`${scene.holdfast.url}/?token=${scene.holdfast.token}`)
    await page.getByTestId('composer-input').waitFor()
    await page.goto(`${scene.holdfast.url}/settings/appearance`)
    await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  } finally {
    await context.close()
  }
})

for (const language of ['en-XA', 'ar-XB', 'ja-XC'] as const) {
  test(`[UI5, UI8] in ${language} every word comes from the catalogue, nothing is wider than the screen and nothing is cut off`, async () => {
    const page = await scene.enter()
    await say(page, '/demo tools-ok')
    await untilTurn(page, 'completed')
    await choose(page, language)
    await page.getByTestId('turn').first().waitFor()
    await page.keyboard.press('Control+j')
    await page.getByTestId('inspector').waitFor()
    await shots(page, `language-${language}-thread`)
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => page.evaluate(WIDER)).toBe(0)
      await expect.poll(() => page.evaluate(CUT_OFF)).toEqual([])
    }
    await expect.poll(() => page.evaluate(NOT_STRANGE)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${scene.holdfast.url}/settings/appearance`)
    for (const section of ['appearance', 'models', 'agents', 'permissions', 'memories', 'keyboard', 'data']) {
      await toSection(page, section)
      await expect.poll(() => page.evaluate(WIDER)).toBe(0)
      await expect.poll(() => page.evaluate(CUT_OFF)).toEqual([])
      await expect.poll(() => page.evaluate(NOT_STRANGE)).toEqual([])
    }
    await toSection(page, 'appearance')
    await shots(page, `language-${language}-settings`)
    const side = await page.locator('.sidebar').boundingBox()
    if (language === 'ar-XB') expect(side?.x).toBeGreaterThan(1_000)
    else expect(side?.x).toBe(0)
  }, 60_000)
}

for (const { language, name, isMirrored } of [
  { language: 'ja', name: '外観', isMirrored: false },
  { language: 'ar', name: 'المظهر', isMirrored: true },
]) {
  test(`[UI27] in ${language} the page has the language’s words and direction, and nothing is cut off`, async () => {
    const page = await scene.enter()
    await say(page, '/demo tools-ok')
    await untilTurn(page, 'completed')
    await page.goto(`${scene.holdfast.url}/settings/appearance`)
    await page.getByLabel('Language').selectOption(language)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe(isMirrored ? 'rtl' : 'ltr')
    const side = await page.locator('.sidebar').boundingBox()
    expect((side?.x ?? 0) > 1_000).toBe(isMirrored)
    await shots(page, `language-${language}-settings`)
    await page.goBack()
    await page.getByTestId('turn').first().waitFor()
    await page.keyboard.press('Control+j')
    await page.getByTestId('inspector').waitFor()
    await shots(page, `language-${language}-thread`)
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => page.evaluate(WIDER)).toBe(0)
      await expect.poll(() => page.evaluate(CUT_OFF)).toEqual([])
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${scene.holdfast.url}/settings/appearance`)
    for (const section of ['models', 'limits', 'agents', 'tools', 'permissions', 'notifications', 'keyboard', 'data']) {
      await toSection(page, section)
      await expect.poll(() => page.evaluate(WIDER)).toBe(0)
      await expect.poll(() => page.evaluate(CUT_OFF)).toEqual([])
    }
  }, 60_000)
}
