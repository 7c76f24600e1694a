import { join } from 'node:path'
import { allRecords } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import type { ScheduleWhy } from '@holdfast/protocol'
import { createSqliteStore } from '@holdfast/store/sqlite'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ workspace: { 'notes.txt': 'A line.' } })

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const authorization = `Bearer ${scene.holdfast.token}`
  const asked =
    body === undefined
      ? { method, headers: { authorization } }
      : { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await fetch(`${scene.holdfast.url}/api/v1${path}`, asked)).json()
}

const Kept = z.record(z.string(), z.json())

/** 50 schedules, of each of which 20 runs were not acknowledged: every fifth failed. */
async function bringNews(): Promise<void> {
  for (let number = 0; number < 50; number++)
    await call('POST', '/schedules', {
      name: `Bell ${number}`,
      content: [{ type: 'text', text: 'Ring' }],
      rule: { type: 'cron', expression: '0 9 1 1 *' },
      timeZone: 'UTC',
    })
  await keepOfAll({
    news: Array.from({ length: 20 }, (_, index) => ({
      ...LINE,
      plannedAt: NEWS_AT + index,
      state: index % 5 === 0 ? 'failed' : 'succeeded',
    })),
  })
}

const NEWS_AT = 1_700_000_000_000
const LINE = {
  cause: 'clock',
  reason: null,
  conversationId: null,
  startedAt: null,
  endedAt: null,
  costUsd: null,
  denied: [],
} as const

/** As it is kept: with words, which a page in another language does not say. */
function because(why: ScheduleWhy): { readonly reason: string; readonly why: ScheduleWhy } {
  return { reason: 'In English', why }
}

/** Has the store keep this of every schedule. */
async function keepOfAll(changes: Readonly<Record<string, unknown>>): Promise<void> {
  await scene.startAnew(async () => {
    const { records, close } = await createSqliteStore({ dataDir: join(scene.dataDir, 'store'), clock: systemClock })
    const schedule = { kind: 'schedule', schema: Kept }
    for (const { id, revision, value } of await allRecords(records, schedule, 'installation')) {
      const at = systemClock.now()
      await records.put(schedule, {
        ownerId: 'installation',
        id,
        revision,
        value: Kept.parse({ ...value, ...changes }),
        at,
      })
    }
    await close()
  })
}

const rows = (page: Page) => page.getByTestId('inbox-item')
const chosen = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })

test('[SCHED41] 1,000 rows are filtered by kind, schedule and agent, at once, and all of these are seen', async () => {
  await bringNews()
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/inbox`)
  const count = page.getByTestId('inbox-count')
  await expect.poll(() => count.innerText()).toBe('1,000 of 1,000')
  await shots(page, 'inbox-many')
  await expect.poll(() => axeProblems(page)).toEqual([])
  const startedAt = await page.evaluate(() => performance.now())
  await chosen(page, 'Kind').selectOption('schedule-failed')
  await expect.poll(() => count.innerText()).toBe('200 of 1,000')
  const tookMs = (await page.evaluate(() => performance.now())) - startedAt
  console.log(`filtered 1,000 rows in ${Math.round(tookMs)} ms, with the way of the test to the page`)
  await chosen(page, 'From').selectOption({ label: 'Bell 7 (4)' })
  await expect.poll(() => rows(page).count()).toBe(4)
  await page.getByRole('button', { name: 'These are seen' }).click()
  await expect.poll(() => count.innerText()).toBe('0 of 996')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => count.innerText()).toBe('996 of 996')
  await page.getByRole('button', { name: 'Show more (100)' }).click()
  await expect.poll(() => rows(page).count()).toBe(200)
  await page.getByRole('button', { name: 'All seen' }).click()
  await page.getByText('Nothing needs you.').waitFor()
}, 180_000)

test('[SCHED50] why something became of a run is said in the language of the page, and what a model said as it was', async () => {
  const rule = { type: 'cron', expression: '0 9 1 1 *' }
  await call('POST', '/schedules', { name: 'Glocke', content: [{ type: 'text', text: 'Ring' }], rule, timeZone: 'UTC' })
  const [firstAt, lastAt] = [NEWS_AT, NEWS_AT + 86_400_000]
  const news = [
    because({ code: 'server-off', count: 1, isMore: false, firstAt, lastAt: firstAt }),
    because({ code: 'server-off', count: 3, isMore: false, firstAt, lastAt }),
    because({ code: 'server-off', count: 5_000, isMore: true, firstAt, lastAt }),
    because({ code: 'clock-set-back', from: firstAt, until: lastAt }),
    because({ code: 'runs-open', count: 2 }),
    because({ code: 'run-waits' }),
    because({ code: 'budget-used', period: 'day', wholeUsd: 2, usedUsd: 1.5 }),
    because({ code: 'chain-too-long', count: 16 }),
    because({ code: 'nobody-there', tools: ['write', 'bash'] }),
    because({ code: 'stopped' }),
    because({ code: 'taken-out-of-queue' }),
    because({ code: 'conversation-deleted' }),
    because({ code: 'server-ended' }),
    { reason: 'The model said no' },
  ].map((told, index) => ({ ...LINE, state: 'failed', plannedAt: NEWS_AT + index, ...told }))
  const { reason: pausedReason, why: pausedWhy } = because({ code: 'failed-in-a-row', count: 3, last: 'No such model' })
  await keepOfAll({ news, isOn: false, pausedReason, pausedWhy })
  const page = await scene.enter()
  await page.evaluate(`localStorage.setItem('holdfast.preferences', JSON.stringify({ language: 'de' }))`)
  await page.goto(`${scene.holdfast.url}/settings/inbox`)
  await expect.poll(() => rows(page).count()).toBe(15)
  await shots(page, 'inbox-why-german')
  const said = await rows(page).allInnerTexts()
  for (const words of [
    /^Ein Zeitplan hat sich pausiert[\s\S]*Er ist 3-mal hintereinander gescheitert\. Zuletzt: No such model/,
    /Um 14\.11\.2023.* lief nichts: Der Server war aus/,
    /3 Läufe von .*14\.11\.2023.* bis .*15\.11\.2023.* fanden nicht statt/,
    /Mehr als 5\.000 Läufe/,
    /Die Uhr des Servers wurde von .*15\.11\.2023.* oder später auf .*14\.11\.2023.* zurückgestellt/,
    /2 Läufe davor waren nicht zu Ende/,
    /ein anderer wartete auf ihn/,
    /Vom Budget von 2,00\s\$ am Tag sind 1,50\s\$ verbraucht, und der Rest bleibt/,
    /16 Läufe haben einander davor ausgelöst/,
    /Niemand war da, um nach write, bash gefragt zu werden/,
    /Jemand hat ihn gestoppt/,
    /aus der Warteschlange genommen/,
    /Die Unterhaltung wurde gelöscht/,
    /Der Server endete, während er lief/,
    /The model said no/,
  ])
    expect(
      said.filter((row) => words.test(row)),
      String(words),
    ).toHaveLength(1)
  expect(said.join()).not.toContain('In English')
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  await page.getByText('Er ist 3-mal hintereinander gescheitert. Zuletzt: No such model').waitFor()
}, 90_000)

test('[SCHED41] where a row goes that had the focus, the next one has it, and of the last the one before', async () => {
  const page = await scene.enter()
  for (let number = 0; number < 2; number++) {
    await say(page, '/demo permission')
    await page.getByTestId('permission-card').first().waitFor()
    await page.keyboard.press('Control+Shift+O')
    await page.getByTestId('turn').first().waitFor({ state: 'detached' })
  }
  await say(page, '/demo stream-fast')
  await untilTurn(page, 'completed')
  await page.getByTestId('open-inbox').click()
  await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(2)
  const allow = rows(page)
    .nth(0)
    .getByRole('button', { name: /^Allow once: / })
  await expect.poll(() => allow.isEnabled()).toBe(true)
  // What the file is now is asked for by itself.
  await rows(page).nth(1).getByText('Make the file').waitFor()
  const second = await rows(page).nth(1).innerText()
  await allow.focus()
  await page.keyboard.press('Enter')
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('[data-testid=inbox-item]')?.getAttribute('data-kind') ?? null)
  await expect
    .poll(() =>
      rows(page)
        .filter({ has: page.getByRole('button', { name: /^Allow once: / }) })
        .count(),
    )
    .toBe(1)
  await expect.poll(focused).toBe('permission')
  expect(await rows(page).nth(0).innerText()).toBe(second)
  // From there the next keys pass its name, the change and the arguments, and reach what can be done about it.
  for (let key = 0; key < 4; key++) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Allow once')
}, 120_000)
