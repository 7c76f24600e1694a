import type { Entry, EntryOf } from '@holdfast/conversation'
import type { ScriptLine } from '@holdfast/engine/testing'
import { type ModelPrice, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { USER, wantedBy } from './support/schedule-bench.ts'
import { MINUTE, settle, scheduleWorld as world } from './support/schedule-world.ts'

const DAY = 24 * 60 * MINUTE
/** Of one request, in dollars. */
const COST = 0.1

const listed = { usdPerMillion: 10, tiers: [] }
const PRICE: ModelPrice = {
  input: listed,
  output: listed,
  cacheRead: listed,
  cacheCreation5m: listed,
  cacheCreation1h: listed,
  reference: 'list',
}
const PRICED = withOverride(UNKNOWN_MODEL, { price: PRICE })

/** An answer that calls the bell, as dear as each. */
const RINGS: readonly ScriptLine[] = [
  { type: 'block-started', block: 0, start: { type: 'tool-call', callId: 'c1', name: 'ring' } },
  { type: 'block-delta', block: 0, text: '{"bell":"west"}' },
  { type: 'block-ended', block: 0 },
  usage(),
  { type: 'finish', finish: 'tool-calls' },
]

const SAYS: readonly ScriptLine[] = [
  { type: 'block-started', block: 0, start: { type: 'text' } },
  { type: 'block-delta', block: 0, text: 'Rung.' },
  { type: 'block-ended', block: 0 },
  usage(),
  { type: 'finish', finish: 'end' },
]

function usage(): ScriptLine {
  const nothing = { cacheReadTokens: 0, cacheCreation5mTokens: 0, cacheCreation1hTokens: 0, thinkingTokens: 0 }
  return { type: 'usage', usage: { ...nothing, inputTokens: 9_900, outputTokens: 100 } }
}

async function openPriced(script: readonly (readonly ScriptLine[])[]) {
  const opened = world(script, undefined, PRICED)
  const { schedules } = opened.process()
  await schedules.scheduler.start()
  const allowed = [{ effect: 'allow' as const, tool: 'ring' }]
  /** Makes one of every hour, with these budgets. */
  const create = async (budgets: ReturnType<typeof wantedBy>['budgets']) => {
    const hourly = wantedBy({ type: 'cron', expression: '0 * * * *' })
    return (await schedules.create(USER, { ...hourly, unattended: 'allow-list', rules: allowed, budgets })).id
  }
  const passes = async (ms: number): Promise<void> => {
    await opened.clock.advance(ms)
    await settle(opened.clock)
  }
  /** The logs of the conversations that it began, in the order in which it did. */
  const logs = async (): Promise<readonly (readonly Entry[])[]> => {
    const asked = (await opened.inputs()).toSorted((one, other) => one.at - other.at)
    const pages = asked.map(({ conversationId }) => opened.memory.store.read({ conversationId, after: 0, limit: 100 }))
    return (await Promise.all(pages)).map(({ entries }) => entries)
  }
  return { ...opened, schedules, create, passes, logs }
}

function endIn(log: readonly Entry[] | undefined): EntryOf<'run-finished'> | undefined {
  return log?.findLast((entry) => entry.type === 'run-finished')
}

describe('a run whose schedule has a budget', () => {
  it('[COST7] is ended by it before the request that would pass it: what was done stands, and the next has its own', async () => {
    const { schedules, create, passes, logs, model, faults } = await openPriced([RINGS])
    const id = await create({ runUsd: COST * 1.5 })
    await passes(60 * MINUTE)
    expect(model.requests).toHaveLength(1)
    const [log] = await logs()
    expect(endIn(log)).toMatchObject({
      outcome: 'limit',
      limit: 'schedule-budget',
      reason: expect.stringMatching(
        /^What its schedule may spend in this run, \$0\.15, does not reach: \$0\.10 is used/,
      ),
    })
    expect(log?.filter(({ type }) => type === 'run-finished')).toHaveLength(1)
    expect(log?.filter(({ type }) => type === 'tool-call-settled')).toMatchObject([{ outcome: 'ok' }])
    expect(await schedules.history(USER, id)).toMatchObject([
      { state: 'failed', costUsd: COST, reason: expect.stringContaining('does not reach') },
    ])
    expect(schedules.read(USER, id)).toMatchObject({ isOn: true, failuresInRow: 1 })
    await passes(60 * MINUTE)
    expect(model.requests).toHaveLength(2)
    expect(endIn((await logs())[1])).toMatchObject({ limit: 'schedule-budget' })
    expect(faults).toEqual([])
    await schedules.scheduler.close()
  })

  it('[COST7, SCHED35] is ended by what is left of its day; then none runs until the next day, which has a whole one', async () => {
    const { schedules, create, passes, logs, model, faults } = await openPriced([SAYS, SAYS, RINGS, SAYS])
    const id = await create({ dayUsd: COST * 2.5 })
    for (let hour = 1; hour <= 3; hour++) await passes(60 * MINUTE)
    expect(model.requests).toHaveLength(3)
    expect((await logs()).map((log) => endIn(log)?.outcome)).toEqual(['completed', 'completed', 'limit'])
    expect(endIn((await logs())[2])?.reason).toMatch(
      /^What this run was given, \$0\.05 that was left of the day budget of \$0\.25 of its schedule \(\$0\.20 was used before\), is used up/,
    )
    for (let hour = 4; hour <= 6; hour++) await passes(60 * MINUTE)
    expect(model.requests).toHaveLength(3)
    const [refused] = (await schedules.history(USER, id)).toSorted((one, other) => other.plannedAt - one.plannedAt)
    expect(refused).toMatchObject({ state: 'skipped', why: { code: 'budget-used', period: 'day' } })
    expect(schedules.read(USER, id)).toMatchObject({ isOn: true, failuresInRow: 0 })
    await passes(DAY - 5 * 60 * MINUTE)
    expect(model.requests.length).toBeGreaterThan(3)
    expect(endIn((await logs())[3])).toMatchObject({ outcome: 'completed' })
    expect(faults).toEqual([])
    await schedules.scheduler.close()
  })
})
