import type { NewEntry } from '@holdfast/conversation'
import { conversationCreated, usageRecorded } from '@holdfast/conversation/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import { createAccountTables } from '../src/accounts/account-tables.ts'
import { createSeal } from '../src/accounts/seal.ts'
import { createUserBudgets, periodAt } from '../src/accounts/user-budgets.ts'
import { addUser, send, setUp } from './support/people.ts'
import { realClock } from './support/real-ports.ts'
import { serve } from './support/serve.ts'

/** A record of what one request cost. */
function usageOf(costUsd: number, change: { readonly carried?: boolean } = {}): NewEntry {
  return { ...usageRecorded('run_1', 'step_1', { input: 1, output: 1 }), costUsd, ...change }
}

const NOON = Date.UTC(2026, 10, 22, 12)
const HOUR_MS = 3_600_000

test('[COST7] a period is a calendar day or month in UTC, and the last of a year ends with it', () => {
  const late = Date.UTC(2026, 11, 31, 23, 59)
  expect(periodAt('day', late)).toEqual({ from: Date.UTC(2026, 11, 31), endsAt: Date.UTC(2027, 0, 1) })
  expect(periodAt('month', late)).toEqual({ from: Date.UTC(2026, 11, 1), endsAt: Date.UTC(2027, 0, 1) })
})

test('[COST7, COST8] what is spent is the sum of a period over all conversations, once each and without what was carried', async () => {
  const { store, records } = createMemoryStore({ clock: realClock })
  const seal = createSeal(new Uint8Array(32).fill(7), 'sessions')
  const tables = await createAccountTables({ records, clock: realClock, seal })
  const row = { id: 'user_1', email: 'ada@example.org', name: 'Ada', role: 'user', disabled: false }
  const createdAt = new Date(NOON).toISOString()
  await tables.insert('user', { ...row, createdAt, budgetLimitUsd: 5, budgetPeriod: 'day' })
  const budgets = createUserBudgets({ tables, store })
  const spent = async (now: number) => (await budgets.budgetOf('user_1', now))?.spentUsd

  const write = async (conversationId: string, at: number, entries: readonly NewEntry[]) => {
    const { head } = await store.read({ conversationId, after: 0, limit: 1 })
    await store.append({ conversationId, after: head, at, entries })
  }
  const dayBefore = periodAt('day', NOON).from - 1
  await write('one', dayBefore, [conversationCreated('user_1'), usageOf(100)])
  await write('one', NOON - HOUR_MS, [usageOf(1), usageOf(50, { carried: true })])
  await write('two', NOON - HOUR_MS, [conversationCreated('user_1'), usageOf(0.5)])
  await write('theirs', NOON - HOUR_MS, [conversationCreated('user_2'), usageOf(70)])
  expect(await spent(NOON)).toBe(1.5)
  await write('two', NOON - 1, [usageOf(0.25)])
  expect(await spent(NOON)).toBe(1.75)
  expect(await spent(NOON + HOUR_MS)).toBe(1.75)
  await write('two', NOON + HOUR_MS, [usageOf(0.25)])
  expect(await spent(NOON + HOUR_MS)).toBe(2)
  expect(await spent(NOON + 24 * HOUR_MS)).toBe(0)
  expect(await budgets.budgetOf('user_2', NOON)).toBeNull()
  await store.close()
})

test('[COST7, SEC1] an admin sets what someone may spend; it stops their next request, and nobody else’s', async () => {
  const served = await serve({ webRoot: null, withAccounts: true })
  try {
    const ada = await setUp(served)
    const grace = await addUser(served, ada, { email: 'grace@example.org', role: 'user' })
    const me = async (as: typeof ada) => (await send(served, ['GET', '/auth/me'], { as })).body
    const { userId } = (await me(grace)) as { userId: string }
    const set = (as: typeof ada, budget: unknown) =>
      send(served, ['PATCH', `/users/${userId}`], { as, body: { budget } })
    expect((await set(grace, { limitUsd: 100, period: 'month' })).status).toBe(403)
    expect((await set(ada, { limitUsd: -1, period: 'month' })).status).toBe(400)
    const budget = { limitUsd: 2, period: 'month' }
    expect(await set(ada, budget)).toMatchObject({ status: 200, body: { budget } })
    expect(await me(grace)).toMatchObject({ account: { budget }, budget: { ...budget, spentUsd: 0 } })
    expect(await me(ada)).toMatchObject({ account: { budget: null }, budget: null })

    const entries = [conversationCreated(userId), usageOf(2.5)]
    await served.store.append({ conversationId: 'spent', after: 0, at: Date.now(), entries })
    expect(await me(grace)).toMatchObject({ budget: { spentUsd: 2.5 } })
    const content = [{ type: 'text', text: 'Hello' }]
    const ask = async (as: typeof ada) => {
      const created = await send(served, ['POST', '/conversations'], { as, body: { commandId: 'create' } })
      const { id } = created.body as { id: string }
      await send(served, ['POST', `/conversations/${id}/inputs`], {
        as,
        body: { commandId: 'send', content, lane: 'turn' },
      })
      return id
    }
    const ends = async (conversationId: string) =>
      (await served.store.read({ conversationId, after: 0, limit: 100 })).entries.filter(
        ({ type }) => type === 'run-finished',
      )
    const refused = await ask(grace)
    await expect
      .poll(() => ends(refused))
      .toMatchObject([{ limit: 'user-budget', reason: expect.stringContaining('is used up ($2.50)') }])
    served.model.say('Hello')
    served.model.end()
    const answered = await ask(ada)
    await expect.poll(() => ends(answered)).toMatchObject([{ outcome: 'completed' }])
  } finally {
    await served.close()
  }
})
