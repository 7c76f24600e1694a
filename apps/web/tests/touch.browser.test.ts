import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { openPage, thriftyContext, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({})

let context: BrowserContext | null = null

afterEach(async () => {
  await context?.close()
})

/** A phone that has come in by the link of the terminal. */
async function phone(viewport: { readonly width: number; readonly height: number }): Promise<Page> {
  context = await thriftyContext(scene.browser, { viewport, hasTouch: true, isMobile: true })
  context.setDefaultTimeout(20_000)
  const { page } = await openPage(context, `${scene.holdfast.url}/?token=${scene.holdfast.token}`)
  await page.getByTestId('composer-input').waitFor()
  return page
}

/** What can be pressed and is smaller than a finger, with its size. */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const pressed = document.querySelectorAll<HTMLElement>('button, select, summary, a.button, a.icon-button')
    return [...pressed].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1
      if (!isShown || (width >= 43.5 && height >= 43.5)) return []
      return [`${element.getAttribute('aria-label') ?? element.textContent} ${Math.round(width)}x${Math.round(height)}`]
    })
  })
}

/** Fields whose letters are so small that a phone zooms in. */
function smallFields(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('input, textarea, select')].flatMap((field) => {
      const size = Number.parseFloat(getComputedStyle(field).fontSize)
      const isShown = field.checkVisibility() && field.getAttribute('type') !== 'checkbox'
      return isShown && size < 16 ? [`${field.getAttribute('aria-label') ?? field.id} ${size}px`] : []
    }),
  )
}

test('[UI18] on a phone everything that is pressed has the size of a finger, and no field zooms in', async () => {
  const page = await phone({ width: 390, height: 844 })
  await page.getByTestId('composer-input').fill('Words')
  await page.getByTestId('send').click()
  await untilTurn(page, 'completed')
  await expect.poll(() => smallTargets(page)).toEqual([])
  await expect.poll(() => smallFields(page)).toEqual([])
  await shots(page, 'touch')
  await page.getByRole('button', { name: 'Conversations' }).click()
  await page.getByTestId('conv-row').waitFor()
  await expect.poll(() => smallTargets(page)).toEqual([])
}, 60_000)

test('[UI18] the composer of a small phone is two rows, and the title stands beside one menu', async () => {
  const page = await phone({ width: 320, height: 640 })
  await page.getByTestId('composer-input').fill('A title that wants room, for it has many words')
  await page.getByTestId('send').click()
  await untilTurn(page, 'completed')
  const composer = page.locator('form.composer')
  await expect.poll(async () => (await composer.boundingBox())?.height ?? 999).toBeLessThanOrEqual(144)
  await expect
    .poll(async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.width ?? 0)
    .toBeGreaterThan(180)
  await shots(page, 'touch-320')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Rename', exact: true }).waitFor()
  await shots(page, 'touch-320-menu')
  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByTestId('inspector').waitFor()
}, 60_000)
