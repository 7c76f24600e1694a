import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { launchBrowser, openPage, say, untilTurn, type WatchedPage } from './support/browser.ts'
import { type HoldfastProcess, startHoldfast } from './support/holdfast-process.ts'
import { shots } from './support/shots.ts'

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

test('[CANVAS2, CANVAS3] its history is gone through by the keyboard, its look is chosen for every tab, a column is widened, and it is cleared by a command', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await enter(`${holdfast.url}/?token=${holdfast.token}`)
  await say(page, '/demo canvas-dashboard')
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(5)
  const canvas = page.getByTestId('canvas')

  await page.getByRole('button', { name: 'History' }).click()
  const slider = page.getByRole('slider', { name: 'History' })
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'))
    .toMatch(/^Now · change 5 of 5 .* added confirmation-5$/)
  await slider.focus()
  await page.keyboard.press('Home')
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(1)
  await expect.poll(() => canvas.getAttribute('data-state')).toBe('past')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^As it was · change 1 of 5 /)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(2)
  await shots(page, 'canvas-history')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await element(page, 'card-1').focus()
  await page.keyboard.press('Delete')
  await canvas.getByText('This is how it was.').waitFor()
  await page.getByRole('button', { name: 'Now', exact: true }).click()
  await expect.poll(() => canvas.getAttribute('data-state')).toBe('now')
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(5)

  const other = await enter(page.url())
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByLabel('Layout').selectOption('column')
  await expect.poll(() => other.locator('.canvas-grid').getAttribute('data-layout')).toBe('column')
  await page.getByLabel('Show').selectOption('ambient')
  await page.getByLabel('Tint').selectOption('blue')
  await expect.poll(() => other.getByTestId('canvas').getAttribute('data-theme-tint')).toBe('blue')
  await expect.poll(() => other.locator('.canvas-grid').getAttribute('data-mode')).toBe('ambient')
  await expect.poll(() => other.locator('.canvas-grid').getAttribute('data-layout')).toBe('column')
  await shots(page, 'canvas-look')

  const table = element(page, 'table-4')
  const column = table.getByRole('columnheader', { name: 'Field' })
  const widthPx = () => column.evaluate((cell) => Math.round(cell.getBoundingClientRect().width))
  const handle = table.getByRole('separator', { name: 'Width of Field' })
  await handle.focus()
  await page.keyboard.press('ArrowRight')
  const first = Number(await handle.getAttribute('aria-valuenow'))
  await expect.poll(widthPx).toBe(first)
  await page.keyboard.press('ArrowRight')
  await expect.poll(widthPx).toBe(first + 16)
  const box = await handle.boundingBox()
  if (!box) throw new Error('The edge of the column is not there')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 30, box.y + box.height / 2, { steps: 3 })
  await page.mouse.up()
  await expect.poll(widthPx).toBe(first + 16 - 30)
  await page.getByRole('button', { name: 'Close canvas' }).click()
  await page.getByTestId('canvas').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Canvas, / }).click()
  await expect.poll(widthPx).toBe(first + 16 - 30)
  await handle.focus()
  await page.keyboard.press('Home')
  await expect.poll(() => handle.getAttribute('aria-valuetext')).toBe('as the table has room')

  await table.getByRole('button', { name: 'More about Coverage by field' }).click()
  await page.getByRole('menuitem', { name: 'Copy as table' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^Field\tTests\tCoverage %\tState\nPassword\t6\t100\tdone/)
  await element(page, 'chart-3').getByRole('button', { name: 'More about Rejected signups per day' }).click()
  await page.getByRole('menuitem', { name: 'Copy as image' }).click()
  await expect
    .poll(() => page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types)))
    .toEqual(['image/png'])

  const input = page.getByTestId('composer-input')
  await input.pressSequentially('/can')
  await page
    .getByTestId('mention-menu')
    .getByRole('option', { name: /canvas clear/ })
    .waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => input.inputValue()).toBe('/canvas clear')
  await page.keyboard.press('Enter')
  await expect.poll(() => other.getByTestId('canvas-el').count()).toBe(0)
  await expect.poll(() => page.getByTestId('turn').count()).toBe(1)
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('')
  await page.getByText('The canvas is cleared').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => other.getByTestId('canvas-el').count()).toBe(5)
}, 90_000)
