import { type Json, overview } from '@holdfast/conversation'
import type { FactSource } from '@holdfast/engine'
import { describe, expect, it } from 'vitest'
import { LONG, type Metered, openMetered } from './support/open-metered.ts'

const actor = { type: 'person', userId: 'user_1' } as const

function said(words: string) {
  return [{ type: 'text' as const, text: words }]
}

describe('the price before Enter', () => {
  it('[COST3, CACHE4] says what the provider then measures: the cached part to the token, the whole within a tenth', async () => {
    const harness = await openMetered(null)
    for (const count of [1, 2, 3]) await harness.ask(`${count} ${LONG}`)
    const words = `Next ${LONG}`
    const { price, modelId, change } = await harness.price({ content: said(words) })
    const length = (await harness.log()).length
    expect({ modelId, change }).toEqual({ modelId: 'first', change: null })
    const record = await harness.ask(words)
    expect(length).toBeLessThan((await harness.log()).length)
    expect(price.now.cacheReadTokens).toBe(record.cacheReadTokens)
    expect(record.cacheReadTokens).toBeGreaterThan(8_000)
    const measured = record.cacheReadTokens + record.cacheCreation5mTokens
    expect(Math.abs(price.now.promptTokens - measured) / measured).toBeLessThan(0.1)
    expect(Math.abs((price.now.usd?.low ?? 0) - (record.costUsd ?? 0)) / (record.costUsd ?? 1)).toBeLessThan(0.15)
    expect(price.cache.warmUntil['5m']).toBe(harness.clock.now() + 300_000)
  })

  it('[CACHE4] rises when the cache goes cold, by what the cold price had said', async () => {
    const harness = await openMetered(null)
    await harness.ask(LONG)
    const warm = (await harness.price({ content: said('More') })).price
    await harness.clock.advance(300_001)
    const cold = (await harness.price({ content: said('More') })).price
    expect(warm.cache.state).toBe('warm')
    expect(cold.cache.state).toBe('cold')
    expect(cold.now).toEqual(warm.cold)
    expect(cold.now.promptUsd ?? 0).toBeGreaterThan((warm.now.promptUsd ?? 0) * 5)
  })

  it('[REQ6] counts the facts that would be noted with it', async () => {
    const note = 'a fact that is noted. '.repeat(40)
    const fact: FactSource = { section: 'workspace', budgetTokens: 1_500, textNow: async () => note }
    const without = (await (await openMetered(null)).price({ content: said('Hi') })).price.now.promptTokens
    const harness = await openMetered(null, { facts: [fact] })
    const { promptTokens } = (await harness.price({ content: said('Hi') })).price.now
    expect(promptTokens - without).toBeGreaterThan(200)
    expect(await harness.of('context-noted')).toEqual([])
  })

  it('[REQ5, TOOL10] says what a switch would break, and writes nothing', async () => {
    const harness = await openMetered(null)
    for (const count of [1, 2]) await harness.ask(`${count} ${LONG}`)
    const before = await harness.log()
    const kept = (await harness.price({ content: said('Hi') })).price.cache.keptTokens
    const switches: readonly [Readonly<Record<string, Json>>, readonly string[]][] = [
      [{ modelId: 'other' }, ['model']],
      [{ instructions: 'Be brief' }, ['instructions']],
      [{ toolMode: 'manual', includedTools: [] }, ['tools']],
      [{ parameters: { temperature: 1 } }, ['parameters']],
    ]
    for (const [changes, reasons] of switches) {
      const { change, price, modelId } = await harness.price({ content: said('Hi'), changes })
      expect(change?.breaks.map(({ reason }) => reason)).toEqual(reasons)
      expect(modelId).toBe(changes['modelId'] ?? 'first')
      expect(change?.lostTokens).toBe(kept - price.now.cacheReadTokens)
      expect(change?.lostUsd).toBeCloseTo(((change?.lostTokens ?? 0) * (12.5 - 1)) / 1e6, 8)
      expect(change?.before.cacheReadTokens).toBe(kept)
    }
    const mode = await harness.price({ content: said('Hi'), changes: { permissionMode: 'bypass' } })
    expect(mode.change).toMatchObject({ breaks: [], lostTokens: 0, lostUsd: 0 })
    expect(await harness.log()).toEqual(before)
    await expect(harness.price({ content: [], changes: { modelId: 'none' } })).rejects.toThrow('There is no model none')
    await expect(harness.price({ content: [], changes: { colour: 'red' } })).rejects.toThrow('Not an entry')
  })

  it('[REQ5, TOOL10] a mode that sends the same breaks nothing, whatever it is called; one that lets nothing be called does', async () => {
    const harness = await openMetered(null)
    for (const count of [1, 2]) await harness.ask(`${count} ${LONG}`)
    const same = { toolMode: 'manual', includedTools: ['read'] }
    expect((await harness.price({ content: said('Hi'), changes: same })).change).toMatchObject({
      breaks: [],
      lostTokens: 0,
      lostUsd: 0,
    })
    await harness.change(same)
    const { engine, conversationId } = harness
    expect(await engine.contextOf(conversationId)).toMatchObject({ measured: true })
    const third = await harness.ask(`3 ${LONG}`)
    expect(third.cacheBreak).toBeUndefined()
    expect(third.cacheReadTokens).toBeGreaterThan(4_000)
    const off = { toolMode: 'all-off' }
    expect((await harness.price({ content: said('Hi'), changes: off })).change?.breaks).toEqual([
      { reason: 'tools', brokenFrom: 'messages' },
    ])
    await harness.change(off)
    // Turned on again before anything was sent: the bytes are as they were.
    await harness.change({ toolMode: 'cached' })
    expect((await harness.price({ content: said('Hi') })).price.cache.keptToSeq).not.toBeNull()
    await harness.change({ toolMode: 'all-off', includedTools: [] })
    expect((await harness.price({ content: said('Hi') })).price.cache.keptToSeq).toBeNull()
    expect((await harness.ask(`4 ${LONG}`)).cacheBreak).toMatchObject({ reason: 'tools' })
    expect((await harness.ask(`5 ${LONG}`)).cacheBreak).toBeUndefined()
    await harness.change({ toolMode: 'cached', includedTools: [] })
    expect((await harness.ask(`6 ${LONG}`)).cacheBreak).toMatchObject({ reason: 'tools' })
  })

  it('[REQ5] says what an edit of an early message would break, as it then does', async () => {
    const harness = await openMetered(null)
    for (const count of [1, 2, 3]) await harness.ask(`${count} ${LONG}`)
    const toSeq = (await harness.of('run-finished'))[0]?.seq ?? 0
    const edited = said(`Edited ${LONG}`)
    const { change, price } = await harness.price({ content: edited, toSeq })
    expect(change?.breaks).toEqual([{ reason: 'rewind', brokenFrom: 'path' }])
    expect(price.now.cacheReadTokens).toBeGreaterThan(2_000)
    expect(change?.lostTokens).toBeGreaterThan(4_000)
    const { engine, conversationId } = harness
    await engine.rewind({ commandId: 'edit', actor, conversationId, toSeq, reason: 'edit', content: edited })
    await harness.until('run-finished', 4)
    const record = (await harness.of('usage-recorded')).at(-1)
    expect(record?.cacheReadTokens).toBe(price.now.cacheReadTokens)
    expect(record?.cacheBreak).toMatchObject({ reason: 'rewind', lostTokens: change?.lostTokens })
    await expect(harness.price({ content: [], toSeq: 3 })).rejects.toThrow('not the end of an exchange')
  })

  it('[CHK3] says what a checkpoint costs, and what the message after it does', async () => {
    const harness = await openMetered(40_000)
    expect(
      await harness.engine.priceOf({ conversationId: harness.conversationId, content: [], checkpoint: true }),
    ).toBeNull()
    for (const count of [1, 2, 3, 4, 5]) await harness.ask(`${count} ${LONG}`)
    const { change, price } = await harness.price({ content: said('Hi'), checkpoint: true })
    expect(change?.breaks).toEqual([{ reason: 'checkpoint', brokenFrom: 'messages' }])
    expect(change?.summary?.cacheReadTokens).toBe(change?.before.cacheReadTokens)
    expect(change?.summary?.outputTokens).toEqual({ low: 0, high: 4_000 })
    expect(price.now.promptTokens).toBeLessThan(change?.before.promptTokens ?? 0)
    expect(change?.lostTokens).toBeGreaterThan(2_000)
  })
})

describe('a cache break', () => {
  it('[CACHE4] is recorded with its reason and what was lost, and not where nothing broke', async () => {
    const harness = await openMetered(null)
    for (const count of [1, 2, 3, 4]) await harness.ask(`${count} ${LONG}`)
    expect((await harness.of('usage-recorded')).some(({ cacheBreak }) => cacheBreak !== undefined)).toBe(false)
    const cachedBy = async () => {
      const last = (await harness.of('usage-recorded')).at(-1)
      return { stepId: last?.stepId, tokens: (last?.cacheReadTokens ?? 0) + (last?.cacheCreation5mTokens ?? 0) }
    }
    const breaks: number[] = []
    const brokenBy = async (reason: string, act: () => Promise<unknown> | unknown) => {
      const before = await cachedBy()
      await act()
      const { cacheBreak, cacheReadTokens } = await harness.ask(`After ${reason}`)
      const lostTokens = before.tokens - cacheReadTokens
      expect(cacheBreak).toMatchObject({ reason, sinceStepId: before.stepId, lostTokens })
      expect(cacheBreak?.lostUsd).toBeCloseTo((lostTokens * (12.5 - 1)) / 1e6, 8)
      breaks.push(lostTokens)
    }
    await brokenBy('expired', () => harness.clock.advance(300_001))
    await brokenBy('provider', () => harness.metered.forget())
    await brokenBy('instructions', () => harness.change({ instructions: 'Be brief' }))
    await brokenBy('parameters', () => harness.change({ parameters: { temperature: 1 } }))
    await brokenBy('model', () => harness.change({ modelId: 'other' }))
    const state = await harness.engine.contextOf(harness.conversationId)
    expect(state?.modelId).toBe('other')
    const { cacheLosses } = overview.reduce(overview.initial, await harness.log()).ledger
    const sum = breaks.reduce((total, lost) => total + lost, 0)
    expect(cacheLosses).toMatchObject({ breakCount: 5, lostTokens: sum, unpricedCount: 0 })
    expect(cacheLosses.newest.map(({ reason }) => reason)).toEqual([
      ...['expired', 'provider', 'instructions', 'parameters', 'model'],
    ])
  })
})

describe('a budget', () => {
  it('[COST7] stops before the request that would pass it, after a warning, and goes on when it is raised', async () => {
    const harness = await openMetered(null)
    const spent = (await harness.ask(LONG)).costUsd ?? 0
    await harness.change({ budgetUsd: spent * 1.25 })
    for (const words of ['Hi', 'Hi again']) await harness.ask(words)
    const warnings = async () => (await harness.of('notice-raised')).filter(({ code }) => code === 'budget-near')
    expect(await warnings()).toMatchObject([{ severity: 'warning', text: expect.stringContaining('(estimated)') }])
    expect((await harness.of('run-finished')).every(({ outcome }) => outcome === 'completed')).toBe(true)
    const made = harness.metered.requests.length
    await harness.ask(LONG)
    expect(harness.metered.requests).toHaveLength(made)
    expect((await harness.of('run-finished')).at(-1)).toMatchObject({
      outcome: 'limit',
      limit: 'budget',
      reason: expect.stringContaining('does not reach'),
    })
    expect(await warnings()).toHaveLength(1)
    await harness.change({ budgetUsd: spent + 10 })
    await harness.ask('Go on')
    expect(harness.metered.requests).toHaveLength(made + 1)
    expect((await harness.of('run-finished')).at(-1)).toMatchObject({ outcome: 'completed' })
  })
})

describe('a pinned message', () => {
  async function withTurns(count: number) {
    const harness = await openMetered(12_000)
    const pin = (messageSeq: number, isPinned: boolean) =>
      harness.engine.pinMessage({
        commandId: `pin-${messageSeq}-${isPinned}`,
        actor,
        conversationId: harness.conversationId,
        messageSeq,
        isPinned,
      })
    for (let turn = 1; turn <= count; turn++) await harness.ask(`Question ${turn} ${LONG.slice(0, 2_500)}`)
    return { ...harness, pin, questions: await harness.of('user-message-sent') }
  }

  async function checkpoint(harness: Metered, count: number) {
    const { engine, conversationId, clock } = harness
    await engine.makeCheckpoint({ commandId: `cp-${count}-${clock.now()}`, actor, conversationId, focus: null })
    await harness.until('checkpoint-made', count)
    const made = (await harness.of('checkpoint-made')).at(-1)
    if (!made) throw new Error('No checkpoint was made')
    return made
  }

  it('[CHK4] is carried over by every checkpoint; what is not is listed', async () => {
    const harness = await withTurns(8)
    const [first, second] = harness.questions
    await harness.pin(first?.seq ?? 0, true)
    const made = await checkpoint(harness, 1)
    expect(made.verbatimSeqs).toContain(first?.seq)
    expect(made.listedSeqs).toContain(second?.seq)
    const carried = new Set([...made.verbatimSeqs, ...(made.listedSeqs ?? [])])
    const covered = harness.questions.filter(({ seq }) => seq <= made.coversToSeq)
    expect(covered.every(({ seq }) => carried.has(seq))).toBe(true)
    await harness.until('run-finished', 9)
    await harness.send('Then', 'send-then')
    await harness.until('run-finished', 10)
    const request = JSON.stringify(harness.metered.requests.at(-1)?.messages[0])
    expect(request).toContain('Question 1 ')
    expect(request).not.toContain('Question 2 ')
  })

  it('[CHK4] is carried over also when it was pinned after a checkpoint had left it out, until the pin is taken off', async () => {
    const harness = await withTurns(8)
    const [, second] = harness.questions
    const seq = second?.seq ?? 0
    const made = await checkpoint(harness, 1)
    expect(made.listedSeqs).toContain(seq)
    await harness.until('run-finished', 9)
    await harness.pin(seq, true)
    for (const turn of [1, 2, 3, 4]) {
      await harness.send(`Later ${turn} ${LONG.slice(0, 2_500)}`, `later-${turn}`)
      await harness.until('run-finished', 9 + turn)
    }
    expect((await checkpoint(harness, 2)).verbatimSeqs).toContain(seq)
  })

  it('[CHK4] must be a message of a person, and is pinned once', async () => {
    const harness = await withTurns(1)
    const seq = harness.questions[0]?.seq ?? 0
    await expect(harness.pin(1, true)).rejects.toThrow('Entry 1 is no message of a person')
    await harness.pin(seq, true)
    const { engine, conversationId } = harness
    await engine.pinMessage({ commandId: 'again', actor, conversationId, messageSeq: seq, isPinned: true })
    expect(await harness.of('pin-changed')).toHaveLength(1)
    await harness.pin(seq, false)
    expect(await harness.of('pin-changed')).toMatchObject([{ isPinned: true }, { isPinned: false }])
  })
})
