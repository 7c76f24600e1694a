import type { UserBudget } from '@holdfast/engine'
import { describe, expect, it } from 'vitest'
import { LONG, type Metered, openMetered } from './support/open-metered.ts'

const actor = { type: 'person', userId: 'user_1' } as const

async function lastEnd(harness: Metered) {
  return (await harness.of('run-finished')).at(-1)
}

async function warningsOf(harness: Metered) {
  return (await harness.of('notice-raised')).filter(({ code }) => code.endsWith('budget-near'))
}

describe('a request beside the conversation', () => {
  it('[COST7] for a summary that a person asks for is not made where the budget does not reach', async () => {
    const harness = await openMetered(null)
    for (const words of ['One', 'Two', 'Three']) await harness.ask(`${words} ${LONG}`)
    const made = harness.metered.requests.length
    const { engine, conversationId } = harness
    const spentUsd = (await harness.of('usage-recorded')).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
    await harness.change({ budgetUsd: spentUsd + 0.001 })
    await engine.makeCheckpoint({ commandId: 'cp-1', actor, conversationId, focus: null })
    await harness.until('run-finished', 4)
    expect(await lastEnd(harness)).toMatchObject({
      outcome: 'limit',
      limit: 'budget',
      reason: expect.stringContaining('does not reach'),
    })
    expect(harness.metered.requests).toHaveLength(made)
    await harness.change({ budgetUsd: spentUsd + 10 })
    await engine.makeCheckpoint({ commandId: 'cp-2', actor, conversationId, focus: null })
    await harness.until('checkpoint-made', 1)
    expect(harness.metered.requests).toHaveLength(made + 1)
  })

  it('[COST7] for a summary that is due ends the turn where the budget does not reach, and is made when it is raised', async () => {
    const harness = await openMetered(12_000)
    const words = LONG.slice(0, 2_500)
    const content = [{ type: 'text' as const, text: words }]
    let turns = 0
    do await harness.ask(`${++turns} ${words}`)
    while (!(await harness.price({ content })).isSummaryDue)
    const spentUsd = (await harness.of('usage-recorded')).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
    // Enough for the turn's own request, of which the cache has most, and not for a summary as well.
    const own = (await harness.price({ content })).price.now.usd?.high ?? 0
    await harness.change({ budgetUsd: spentUsd + own * 1.1 })
    const made = harness.metered.requests.length
    await harness.send(words, 'due')
    await harness.until('run-finished', turns + 1)
    expect(await lastEnd(harness)).toMatchObject({ outcome: 'limit', limit: 'budget' })
    expect(harness.metered.requests).toHaveLength(made)
    expect(await harness.types()).not.toContain('window-moved')
    await harness.change({ budgetUsd: spentUsd + 10 })
    await harness.send('Go on', 'raised')
    await harness.until('checkpoint-made', 1)
    await harness.until('run-finished', turns + 2)
    expect(await lastEnd(harness)).toMatchObject({ outcome: 'completed' })
  })

  it('[COST7] for a title is not made where the budget does not reach, and is tried again after the next turn only', async () => {
    const harness = await openMetered(null, { autoTitles: true })
    // Nobody knows yet how long an answer is, so the turn is priced by its prompt; the title after it finds no room.
    await harness.change({ budgetUsd: 0.045 })
    await harness.send(LONG, 'send-1')
    await harness.until('run-finished', 2)
    const [, title] = await harness.of('run-finished')
    expect(title).toMatchObject({ outcome: 'limit', limit: 'budget' })
    expect(harness.metered.requests).toHaveLength(1)
    await harness.change({ budgetUsd: 10 })
    await harness.send('And', 'send-2')
    await harness.until('title-changed', 1)
    expect((await harness.of('run-started')).map(({ purpose }) => purpose)).toEqual(['turn', 'title', 'turn', 'title'])
  })

  it('[CACHE4] records what a summary and a title lost of the cache, and nothing where they read it', async () => {
    const harness = await openMetered(null)
    for (const words of ['One', 'Two', 'Three']) await harness.ask(`${words} ${LONG}`)
    const { engine, conversationId } = harness
    const last = (await harness.of('usage-recorded')).at(-1)
    const cached = (last?.cacheReadTokens ?? 0) + (last?.cacheCreation5mTokens ?? 0)
    await engine.makeTitle({ commandId: 'title-1', actor, conversationId })
    await harness.until('title-changed', 1)
    harness.metered.forget()
    await engine.makeCheckpoint({ commandId: 'cp-1', actor, conversationId, focus: null })
    await harness.until('checkpoint-made', 1)
    const breaks = (await harness.of('usage-recorded')).map(({ purpose, cacheBreak }) => [purpose, cacheBreak])
    expect(breaks.slice(-2)).toMatchObject([
      ['title', undefined],
      ['checkpoint', { reason: 'provider', sinceStepId: last?.stepId, lostTokens: cached }],
    ])
  })
})

describe('the budget of a schedule', () => {
  async function endOf(budget: NonNullable<Parameters<Metered['engine']['admitOccurrence']>[0]['schedule']['budget']>) {
    const harness = await openMetered(null)
    const schedule = { scheduleId: 'schedule_1', plannedAt: 1_000, unattended: 'deny' as const, rules: [], budget }
    const content = [{ type: 'text' as const, text: LONG }]
    await harness.engine.admitOccurrence({
      commandId: 'occurrence-1',
      actor,
      conversationId: harness.conversationId,
      inputId: 'input_of_schedule',
      content,
      schedule,
      begins: null,
      records: [],
    })
    await harness.until('run-finished', 1)
    expect(harness.metered.requests).toHaveLength(0)
    return (await lastEnd(harness))?.reason
  }

  it('[SCHED39] is told as a whole with what of it was used; a log of before says what was left', async () => {
    expect(await endOf({ limitUsd: 0.0001, period: 'day', wholeUsd: 2, usedUsd: 1.9999 })).toContain(
      '$0.0001 that was left of the day budget of $2.00 of its schedule ($2.00 was used before), does not reach',
    )
    expect(await endOf({ limitUsd: 0.0001, period: 'day' })).toContain(
      '$0.0001 that was left of the day budget of its schedule, does not reach',
    )
  })
})

describe("a user's budget", () => {
  function budgetOf(change: Partial<UserBudget>): UserBudget {
    return { limitUsd: 5, spentUsd: 0, period: 'month', endsAt: Date.UTC(2027, 0, 1), ...change }
  }

  /** The budget of the conversation's owner, which a test changes; everybody else has none. */
  async function withBudget(first: UserBudget) {
    let budget: UserBudget | null = first
    const harness = await openMetered(null, {
      userBudgets: { budgetOf: async (userId) => (userId === 'user_1' ? budget : null) },
    })
    const set = (next: UserBudget | null): void => {
      budget = next
    }
    return { harness, set }
  }

  it('[COST7] stops before the request that would pass it, says who can raise it and until when it holds', async () => {
    const { harness, set } = await withBudget(budgetOf({ spentUsd: 4.999 }))
    await harness.send(LONG, 'send-1')
    await harness.until('run-finished', 1)
    expect(harness.metered.requests).toHaveLength(0)
    expect(await lastEnd(harness)).toMatchObject({
      outcome: 'limit',
      limit: 'user-budget',
      reason: expect.stringMatching(/^Your budget of \$5\.00 a month does not reach: .* 2027-01-01 \(UTC\).*admin/),
    })
    set(budgetOf({ spentUsd: 5.01 }))
    await harness.send('Hi', 'send-2')
    await harness.until('run-finished', 2)
    expect((await lastEnd(harness))?.reason).toMatch(/^Your budget of \$5\.00 a month is used up \(\$5\.01\)\./)
    set(budgetOf({ limitUsd: 50, spentUsd: 5.01 }))
    await harness.send('Hi again', 'send-3')
    await harness.until('run-finished', 3)
    expect(await lastEnd(harness)).toMatchObject({ outcome: 'completed' })
    expect(harness.metered.requests).toHaveLength(1)
  })

  it('[COST7] warns once when it is nearly used', async () => {
    const { harness, set } = await withBudget(budgetOf({ spentUsd: 4.2 }))
    await harness.ask('One')
    set(budgetOf({ spentUsd: 4.3 }))
    await harness.ask('Two')
    expect(await warningsOf(harness)).toMatchObject([
      { text: expect.stringMatching(/^Your budget of \$5\.00 a month is nearly used: \$4\.20 is used/) },
    ])
  })

  it('[COST7] warns again in the next period, and not once more when much else was said since', async () => {
    const { harness, set } = await withBudget(budgetOf({ spentUsd: 4.2 }))
    await harness.ask('One')
    const { store, conversationId } = harness
    const head = (await harness.log()).length
    const note = { type: 'notice-raised', actor, code: 'other', severity: 'info', text: 'Else' } as const
    const entries = Array.from({ length: 60 }, () => note)
    await store.append({ conversationId, after: head, entries, at: 1 })
    await harness.ask('Two')
    expect(await warningsOf(harness)).toHaveLength(1)
    set(budgetOf({ spentUsd: 4.2, endsAt: Date.UTC(2027, 1, 1) }))
    await harness.ask('Three')
    expect((await warningsOf(harness)).map(({ until }) => until)).toEqual([
      expect.stringContaining('2027-01-01'),
      expect.stringContaining('2027-02-01'),
    ])
  })

  it('[COST7] holds beside the budget of the conversation: whichever is passed first says so', async () => {
    const { harness } = await withBudget(budgetOf({ spentUsd: 1 }))
    await harness.change({ budgetUsd: 0.0001 })
    await harness.send(LONG, 'send-1')
    await harness.until('run-finished', 1)
    expect(await lastEnd(harness)).toMatchObject({ limit: 'budget' })
  })
})
