import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({})

async function converse(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByRole('heading', { level: 1, name: 'New conversation' }).waitFor()
  await say(page, words)
  await untilTurn(page, 'completed')
}

test('[UI13] Tab comes to the list once; the arrows go through it, and a menu has what can be done', async () => {
  const page = await scene.enter()
  for (const words of ['One', 'Two', 'Three']) await converse(page, words)
  const rows = page.getByTestId('conv-row')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByTestId('open-schedules').focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => rows.first().evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => rows.last().evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate("document.activeElement.closest('.conversation-list') === null")).toBe(true)
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => rows.last().evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowRight')
  const items = page.getByRole('menuitem')
  await expect.poll(() => items.allInnerTexts()).toEqual(['Pin', 'Rename', 'Archive'])
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => items.count()).toBe(0)
  await expect.poll(() => rows.last().evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowRight')
  await items.first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByTestId('toast').waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  await rows.first().focus()
  await page.keyboard.press('ArrowRight')
  await items.first().waitFor()
  await shots(page, 'row-menu')
}, 60_000)

test('[UI39] a branched conversation has a mark in the list, in words too, and the one it came from has none', async () => {
  const page = await scene.enter()
  await converse(page, 'Where it began')
  const address = page.url()
  await page.getByRole('button', { name: 'Branch from here' }).last().click()
  await page.waitForURL((url) => url.href !== address)
  const rows = page.getByTestId('conv-row')
  await expect.poll(() => rows.count()).toBe(2)
  const marked = rows.filter({ has: page.getByTestId('forked-mark') })
  await expect.poll(() => marked.count()).toBe(1)
  await expect.poll(() => marked.getAttribute('aria-current')).toBe('page')
  await expect.poll(() => marked.textContent()).toContain(', branched from another conversation')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'branched-row')
}, 60_000)

test('[UI118] many schedules are searched by name, words, time and agent, and what is found of how many is said', async () => {
  const page = await scene.enter()
  const headers = { authorization: `Bearer ${scene.holdfast.token}` }
  for (let number = 1; number <= 30; number += 1)
    await page.request.post(`${scene.holdfast.url}/api/v1/schedules`, {
      headers,
      data: {
        name: `Number ${number}`,
        content: [{ type: 'text', text: number === 7 ? 'Water the orchids' : 'Look around' }],
        rule: { type: 'cron', expression: number === 9 ? '30 6 * * *' : '0 9 * * *' },
        timeZone: 'europe/berlin',
      },
    })
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  const rows = page.getByTestId('schedule-row')
  await expect.poll(() => rows.count()).toBe(30)
  await expect.poll(() => rows.first().innerText()).toContain('Europe/Berlin')
  const search = page.getByRole('searchbox', { name: 'Search schedules' })
  for (const words of ['ORCHIDS', '06:30']) {
    await search.fill(words)
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByText('1 of 30').waitFor()
  }
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'schedules-searched')
  await search.fill('')
  await expect.poll(() => rows.count()).toBe(30)
}, 90_000)
