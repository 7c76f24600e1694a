import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({})

const frameOf = (page: Page) => page.frameLocator('[data-testid=generated-frame]')
const element = (page: Page) => page.locator('[data-testid=canvas-el][data-id=page-1]')
const ground = (page: Page) =>
  frameOf(page)
    .locator('body')
    .evaluate((body) => getComputedStyle(body).backgroundColor)

const FIRST = 'rgb(251, 250, 247)'
const SECOND = 'rgb(29, 32, 33)'

test('[PREV11] a page is opened from the canvas and from the message that wrote it, in the version that is meant, and saved', async () => {
  const page = await scene.enter()
  await say(page, '/demo canvas-page')
  await untilTurn(page, 'completed')
  await element(page)
    .getByText(/2 versions · runs apart, without network/)
    .waitFor()
  // Nothing of it runs before somebody opens it.
  expect(await page.getByTestId('generated-frame').count()).toBe(0)
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'canvas-page-closed')

  await element(page).getByRole('button', { name: 'Open page' }).click()
  await frameOf(page).getByRole('button', { name: 'One more' }).click()
  await expect.poll(() => frameOf(page).locator('output').innerText()).toBe('1')
  expect(await ground(page)).toBe(SECOND)
  // Its source is read while it goes on.
  await element(page).getByRole('button', { name: 'Source' }).click()
  await element(page).getByText('<!doctype html>').waitFor()
  await element(page).getByRole('button', { name: 'Source' }).click()
  expect(await frameOf(page).locator('output').innerText()).toBe('1')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'canvas-page-open')

  await page.getByTestId('page-link').first().click()
  await expect.poll(() => ground(page)).toBe(FIRST)
  await expect.poll(() => element(page).getByRole('combobox').innerText()).toContain('Version 2')
  await element(page).getByRole('button', { name: 'Newest version' }).click()
  await expect.poll(() => ground(page)).toBe(SECOND)

  const saved = page.waitForEvent('download')
  await element(page).getByRole('button', { name: 'Save', exact: true }).click()
  expect((await saved).suggestedFilename()).toBe('A tally.html')
  expect(await readFile((await (await saved).path()) ?? '', 'utf8')).toContain('#1d2021')

  await element(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => page.getByTestId('generated-frame').count()).toBe(0)

  // In words of a message it is code until somebody opens it.
  await page.getByTestId('open-page').click()
  await expect.poll(() => frameOf(page).locator('body').innerText()).toContain('42')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'page-of-a-message')
  await page.getByRole('button', { name: 'Close page' }).click()
  await expect.poll(() => page.getByTestId('generated-frame').count()).toBe(0)

  const answer = await page.evaluate(async (url) => (await fetch(url)).status, `${scene.holdfast.url}/generated-page`)
  expect(answer).toBe(200)
}, 90_000)

test('[PREV11] a page that is open stays as it is behind another tab of the dock, and is closed after a reload', async () => {
  const page = await scene.enter()
  await say(page, '/demo canvas-page')
  await untilTurn(page, 'completed')
  await element(page).getByRole('button', { name: 'Open page' }).click()
  await frameOf(page).getByRole('button', { name: 'One more' }).waitFor()
  await page.getByTestId('dock-tab-inspector').click()
  await page.getByTestId('dock-tab-canvas').click()
  await frameOf(page).getByRole('button', { name: 'One more' }).waitFor()
  await scene.restart(async () => {})
  await page.reload()
  await element(page).getByRole('button', { name: 'Open page' }).waitFor()
  expect(await page.getByTestId('generated-frame').count()).toBe(0)
  await element(page).press('f')
  await frameOf(page).getByRole('button', { name: 'One more' }).click()
  await expect.poll(() => frameOf(page).locator('output').innerText()).toBe('1')
  await shots(page, 'canvas-page-full')
})
