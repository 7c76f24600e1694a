import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({})

const SECTIONS = ['appearance', 'models', 'agents', 'permissions', 'memories', 'keyboard', 'data'] as const

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

test('[UI1] axe finds nothing on any page of the settings, and the keyboard reaches their list', async () => {
  const page = await scene.enter()
  for (const section of SECTIONS) {
    await page.goto(`${scene.holdfast.url}/settings/${section}`)
    await page
      .locator(`[data-testid=settings][data-state=${section}] :is(h2, h3, label, table, .settings-lead)`)
      .first()
      .waitFor()
    await isClean(page)
  }
  await page.getByRole('link', { name: 'Memories' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-testid=settings][data-state=memories]').waitFor()
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
