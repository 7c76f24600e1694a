import { says } from '@holdfast/engine/testing'
import { loggedCalls, type WrittenRule } from '@holdfast/tool'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { readProjection } from '../src/log/log-states.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const
const edit = (callId: string, path: string) => ({ callId, name: 'edit', input: { path } })
const owner = { ownerId: 'user_1', conversationId: null }
const allowed = (pattern: string): WrittenRule => ({ effect: 'allow', tool: 'edit', pattern })

/** Answers the open requests of a conversation, those of some paths with a no. */
async function answerAll({ engine, store }: Harness, conversationId: string, denied: readonly string[] = []) {
  const { entries } = await store.read({ conversationId, after: 0, limit: 1_000 })
  const settled = new Set(entries.flatMap((entry) => (entry.type === 'permission-settled' ? [entry.requestId] : [])))
  for (const entry of entries) {
    if (entry.type !== 'permission-requested' || settled.has(entry.requestId)) continue
    const isDenied = denied.some((path) => JSON.stringify(entry.input).includes(`"${path}"`))
    await engine.answerPermission({
      commandId: `answer-${entry.requestId}`,
      actor: person,
      conversationId,
      requestId: entry.requestId,
      decision: isDenied ? 'deny' : 'allow',
      scope: 'call',
    })
  }
}

/** A conversation in which three edits were asked about and allowed, and one was denied. */
async function answeredHarness(more: Parameters<typeof openHarness>[0] = []): Promise<Harness> {
  const { tool } = testTool({ name: 'edit', category: 'edit' })
  const asked = calls(edit('c1', 'src/a'), edit('c2', 'src/b'), edit('c3', 'src/c'), edit('c4', 'docs/secret'))
  const harness = await openHarness([asked, says('Done'), ...more], [tool])
  await harness.send('Hi', 'send-1')
  await harness.until('permission-requested', 4)
  await answerAll(harness, harness.conversationId, ['docs/secret'])
  await harness.until('run-finished', 1)
  return harness
}

async function secondConversation({ engine }: Harness): Promise<string> {
  const made = { commandId: 'second', actor: person, ownerId: 'user_1', title: null, modelId: null }
  const { conversationId } = await engine.createConversation(made)
  const content = [{ type: 'text' as const, text: 'More' }]
  await engine.sendMessage({ commandId: 'send-2', actor: person, conversationId, content, lane: 'turn' })
  return conversationId
}

async function typesOf({ store }: Harness, conversationId: string): Promise<string[]> {
  return (await store.read({ conversationId, after: 0, limit: 1_000 })).entries.map(({ type }) => type)
}

describe('what a log says of rules', () => {
  it('[PERM9] suggests what would have answered as the person did, in the conversation and for all', async () => {
    const harness = await answeredHarness()
    for (const conversationId of [null, harness.conversationId]) {
      const { suggestions, extent } = await harness.engine.suggestRules({ ownerId: 'user_1', conversationId })
      expect(suggestions).toMatchObject([{ rule: allowed('src/*'), answeredCount: 3, conversationCount: 1 }])
      expect(extent).toEqual({ conversationCount: 1, callCount: 4, unseenCount: 0, isCut: false })
    }
    const others = await harness.engine.suggestRules({ ownerId: 'user_2', conversationId: null })
    expect(others).toMatchObject({ suggestions: [], extent: { callCount: 0 } })
    const unknown = { ownerId: 'user_1', conversationId: 'none' }
    await expect(harness.engine.suggestRules(unknown)).rejects.toThrow('There is no conversation none')
  })

  it('[PERM1] [PERM9] tries a rule, and what it says of a call is what becomes of the next one', async () => {
    const harness = await answeredHarness([calls(edit('c5', 'src/a'), edit('c6', 'docs/secret')), says('Done')])
    const { engine, conversationId } = harness
    const report = await engine.tryRule({ ownerId: 'user_1', conversationId, rule: allowed('**') })
    expect(report).toMatchObject({
      isKnownTool: true,
      rule: allowed('**'),
      trial: { callCount: 4, without: { ask: 4 }, with: { allow: 4 }, savedCount: 3, againstCount: 1 },
    })
    expect(report.trial.examples[0]).toMatchObject({ said: 'denied', with: 'allow', isAgainst: true })
    const narrow = await engine.tryRule({ ownerId: 'user_1', conversationId, rule: allowed('src/*') })
    expect(narrow.trial).toMatchObject({ with: { allow: 3, ask: 1 }, savedCount: 3, againstCount: 0 })
    expect((await harness.types()).filter((type) => type === 'permission-rule-changed')).toEqual([])

    const { ruleId } = await engine.addRule({ commandId: 'add', actor: person, conversationId, rule: allowed('src/*') })
    const again = { commandId: 'add-2', actor: person, conversationId, rule: allowed('src/*') }
    expect(await engine.addRule(again)).toEqual({ ruleId })
    expect(await engine.addRule({ ...again, commandId: 'add' })).toEqual({ ruleId })
    await harness.send('Again', 'send-2')
    await harness.until('permission-requested', 5)
    const last = (await harness.log()).filter((entry) => entry.type === 'permission-requested').at(-1)
    expect(last).toMatchObject({ input: { path: 'docs/secret' } })
    await answerAll(harness, conversationId)
    await harness.until('run-finished', 2)
    const started = (await harness.log()).filter((entry) => entry.type === 'tool-call-started').at(-2)
    expect(started).toMatchObject({ decision: { source: 'allow-rule', ruleIds: [ruleId] } })
    const known = await engine.suggestRules({ ownerId: 'user_1', conversationId })
    expect(known.suggestions).toEqual([])
    // A yes for one conversation is an answer, and no rule for the others.
    expect((await engine.suggestRules(owner)).suggestions).toMatchObject([{ rule: allowed('src/*') }])
  })

  it('[PERM9] does not suggest again what was not wanted, until the person has answered so anew', async () => {
    const harness = await answeredHarness([
      calls(...['d', 'e', 'f'].map((name) => edit(name, `src/${name}`))),
      says('Done'),
    ])
    const { engine, clock, conversationId } = harness
    await engine.dismissSuggestion({ ownerId: 'user_1', rule: { ...allowed('src/*'), effect: 'allow' } })
    expect((await engine.suggestRules(owner)).suggestions).toEqual([])
    await clock.advance(1_000)
    await harness.send('Again', 'send-2')
    await harness.until('permission-requested', 7)
    await answerAll(harness, conversationId)
    await harness.until('run-finished', 2)
    expect((await engine.suggestRules(owner)).suggestions).toMatchObject([{ rule: allowed('src/*'), answeredCount: 3 }])
  })

  it('[PERM9] does not suggest what was not wanted, however much was not', async () => {
    const { engine, records } = await answeredHarness()
    const kind = { kind: 'dismissed-suggestion', schema: z.object({ effect: z.literal('deny'), tool: z.string() }) }
    for (let count = 0; count < 1_100; count++) {
      const value = { effect: 'deny', tool: `tool_${count}` } as const
      await records.put(kind, { ownerId: 'user_1', id: `dismissed_ ${count}`, revision: 0, value, at: 1 })
    }
    await engine.dismissSuggestion({ ownerId: 'user_1', rule: { ...allowed('src/*'), effect: 'allow' } })
    expect((await engine.suggestRules(owner)).suggestions).toEqual([])
  })

  it('[PERM8] judges what waits by a rule at once, here and in the other conversations', async () => {
    const harness = await answeredHarness([calls(edit('c5', 'src/x')), says('Done')])
    const conversationId = await secondConversation(harness)
    await vi.waitFor(async () => expect(await typesOf(harness, conversationId)).toContain('permission-requested'))
    const added = await harness.engine.addAlwaysRule({ ownerId: 'user_1', rule: allowed('src/*') })
    expect(added).toEqual({ ruleId: added.ruleId, isNew: true })
    await vi.waitFor(async () => expect(await typesOf(harness, conversationId)).toContain('run-finished'))
    const { entries } = await harness.store.read({ conversationId, after: 0, limit: 100 })
    expect(entries.find(({ type }) => type === 'permission-settled')).toMatchObject({ outcome: 'allowed', by: 'rule' })
    const twice = await harness.engine.addAlwaysRule({ ownerId: 'user_1', rule: allowed('src/*') })
    expect(twice).toMatchObject({ ruleId: added.ruleId, isNew: false })
    expect((await harness.engine.suggestRules(owner)).suggestions).toEqual([])
  })

  it('[PERM7] a rule for all conversations that was given without a call before one says nothing about strangers', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const reaches = {
      ...tool,
      definition: { ...tool.definition, annotations: { destructive: false, openWorld: true } },
    }
    const both = [calls(edit('c1', 'src/a')), calls(edit('c2', 'src/b')), says('Done')]
    const harness = await openHarness(both, [reaches])
    await harness.send('Hi', 'send-1')
    await harness.until('permission-requested', 1)
    await harness.clock.advance(1_000)
    await answerAll(harness, harness.conversationId)
    // The first call reached out, and may have brought what strangers wrote.
    await harness.until('permission-requested', 2)
    await harness.clock.advance(1_000)
    await harness.engine.addAlwaysRule({ ownerId: 'user_1', rule: { effect: 'allow', tool: 'edit' } })
    expect((await harness.types()).filter((type) => type === 'permission-settled')).toHaveLength(1)
    expect(started).toEqual(['src/a'])
    // The past is judged as it was: the first call before those words, the second after them.
    const trial = { ...owner, rule: { effect: 'deny', tool: 'edit' } } as const
    expect((await harness.engine.tryRule(trial)).trial.without).toEqual({ allow: 1, ask: 1, deny: 0 })
  })

  it('[PERM2] refuses a rule that cannot hold, with what to write, and changes nothing', async () => {
    const harness = await answeredHarness()
    const { engine, conversationId } = harness
    const rule: WrittenRule = { effect: 'allow', tool: '*' }
    const before = await harness.types()
    await expect(engine.tryRule({ ...owner, rule })).rejects.toThrow('names its tool')
    await expect(engine.addAlwaysRule({ ownerId: 'user_1', rule })).rejects.toThrow('names its tool')
    const command = { commandId: 'add', actor: person, conversationId, rule }
    await expect(engine.addRule(command)).rejects.toThrow('names its tool')
    expect(await harness.types()).toEqual(before)
  })

  it('[PRJ2] reads a log piece by piece where it is long, says so, and goes on from there', async () => {
    const { store, conversationId } = await answeredHarness()
    const actor = { type: 'engine' } as const
    const note = { type: 'notice-raised', actor, code: 'x', severity: 'info', text: 'x' } as const
    const head = (await store.read({ conversationId, after: 0, limit: 1 })).head
    await store.append({ conversationId, after: head, entries: Array.from({ length: 1_200 }, () => note), at: 1 })
    const read = () => readProjection(store, loggedCalls, { conversationId, mostEntries: 600 })
    expect(await read()).toEqual({ state: null, entryCount: 1_000 })
    expect(await read()).toMatchObject({ state: { calls: [{}, {}, {}, {}] }, entryCount: head + 1_200 - 1_000 })
  })
})
