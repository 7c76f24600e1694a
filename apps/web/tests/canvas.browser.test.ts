import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { launchBrowser, openPage, say, untilTurn, type WatchedPage } from './support/browser.ts'
import { type HoldfastProcess, startHoldfast } from './support/holdfast-process.ts'

let browser: Browser
let dataDir: string
let holdfast: HoldfastProcess
let context: BrowserContext
let tabs: WatchedPage[]

beforeAll(async () => {
  browser = await launchBrowser()
}, 120_000)

afterAll(async () => {
  await browser.close()
})

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-canvas-'))
  holdfast = await startHoldfast(dataDir, 0)
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  context.setDefaultTimeout(15_000)
  tabs = []
})

afterEach(async () => {
  await context.close()
  await holdfast.kill()
  await rm(dataDir, { recursive: true })
  expect(tabs.flatMap(({ offences }) => offences)).toEqual([])
})

async function enter(url: string): Promise<Page> {
  const tab = await openPage(context, url)
  tabs.push(tab)
  await tab.page.getByTestId('composer-input').waitFor()
  return tab.page
}

function element(page: Page, id: string) {
  return page.locator(`[data-testid=canvas-el][data-id=${id}]`)
}

test('[CANVAS1, CANVAS2, CANVAS6] a dashboard is drawn while it streams, outlives reload and restart, and is answered from another tab', async () => {
  const page = await enter(`${holdfast.url}/?token=${holdfast.token}`)
  await say(page, '/demo canvas-dashboard')
  await element(page, 'card-1').waitFor()
  await expect.poll(() => page.getByTestId('turn').last().getAttribute('data-state')).not.toBe('completed')
  await page.getByTestId('canvas-drawing').first().waitFor()
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('canvas-drawing').count()).toBe(0)
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(5)

  await page.getByRole('button', { name: 'What the model sees' }).click()
  await expect
    .poll(() => page.getByTestId('canvas-summary').innerText())
    .toContain('chart-3 "Rejected signups per day"')
  await page.reload()
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(5)
  const { port } = holdfast
  await holdfast.end()
  holdfast = await startHoldfast(dataDir, port)
  const other = await enter(page.url())
  await expect.poll(() => other.getByTestId('canvas-el').count()).toBe(5)

  await other.getByRole('checkbox', { name: 'Load the country list once' }).check()
  await element(page, 'checklist-2').getByText('3 of 3').waitFor()
  await element(other, 'confirmation-5').getByRole('button', { name: 'Apply', exact: true }).click()
  await element(page, 'confirmation-5').getByText('You chose “Apply”').waitFor()
  await expect
    .poll(() => element(page, 'confirmation-5').getByRole('button', { name: 'Apply', exact: true }).count())
    .toBe(0)
  await expect.poll(() => page.getByTestId('turn').count()).toBe(2)
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('canvas-reference').innerText()).toContain('Answered on the canvas: apply')
}, 90_000)

test('[CANVAS3] elements are reached by the keyboard, sorted, removed and brought back, and read without colour', async () => {
  const page = await enter(`${holdfast.url}/?token=${holdfast.token}`)
  await say(page, '/demo canvas-dashboard')
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(5)
  await element(page, 'card-1').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-id'))).toBe('chart-3')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await element(page, 'chart-3').getByText('12 Nov: Bounced mail 52, Support tickets 21').waitFor()
  await element(page, 'chart-3').getByRole('button', { name: 'View as table' }).click()
  await element(page, 'chart-3').getByRole('cell', { name: '52' }).waitFor()

  const table = element(page, 'table-4')
  const first = () => table.locator('tbody tr').first().locator('td').first().innerText()
  await table.getByRole('button', { name: 'Coverage %' }).click()
  await expect.poll(first).toBe('Country')
  await table.getByRole('button', { name: 'Coverage %' }).click()
  await expect.poll(first).toBe('Password')
  await expect
    .poll(() => table.getByRole('columnheader', { name: 'Coverage %' }).getAttribute('aria-sort'))
    .toBe('descending')

  await table.focus()
  await page.keyboard.press('f')
  await page.getByRole('dialog', { name: 'Coverage by field' }).waitFor()
  await page.keyboard.press('Escape')
  await table.focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(4)
  await page.getByRole('button', { name: 'Undo remove' }).click()
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(5)
  await table.getByRole('button', { name: 'More about Coverage by field' }).click()
  await page.getByRole('menuitem', { name: 'Ask about this' }).click()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('@canvas:table-4 ')
  await table.getByRole('button', { name: 'More about Coverage by field' }).click()
  await page.getByRole('menuitem', { name: 'Pin to top' }).click()
  await expect.poll(() => page.getByTestId('canvas-el').first().getAttribute('data-id')).toBe('table-4')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
}, 90_000)
