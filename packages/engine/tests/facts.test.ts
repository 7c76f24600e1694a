import { canonicalText } from '@holdfast/context'
import { type Entry, type EntryOf, overview } from '@holdfast/conversation'
import { createTimeFact, createWorkspaceFact, type FactSource } from '@holdfast/engine'
import { begins, createScriptedModel, type ScriptLine, says } from '@holdfast/engine/testing'
import { type ModelPort, type ModelRequest, UNKNOWN_MODEL } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'
import { LONG, openMetered } from './support/open-metered.ts'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const
const MINUTE_MS = 60_000

/** A fact whose text the test sets. */
function settable(section: FactSource['section'], first: string | null) {
  let text = first
  const source: FactSource = { section, budgetTokens: 500, textNow: async () => text }
  return {
    source,
    set(next: string | null) {
      text = next
    },
  }
}

function withFacts(...facts: readonly FactSource[]): HarnessOptions {
  return { ports: { facts } }
}

async function ask({ send, until }: Harness, text: string, count: number): Promise<void> {
  await send(text, `send-${count}`)
  await until('run-finished', count)
}

async function notes({ log }: Harness): Promise<readonly string[]> {
  return (await log()).filter(isNote).map(({ text }) => text)
}

function isNote(entry: Entry): entry is EntryOf<'context-noted'> {
  return entry.type === 'context-noted'
}

function sent(request: ModelRequest | undefined): string {
  return JSON.stringify(request?.messages)
}

function bytes(request: ModelRequest | undefined): string {
  return request === undefined ? 'No request' : canonicalText(request)
}

describe('facts that change by themselves', () => {
  it('[REQ5] are in a request that is composed once', async () => {
    let composed = 0
    const port: ModelPort = {
      ...createScriptedModel([says('A'), says('B')]),
      // Asked by each composing, and by nothing else.
      bindsThinking() {
        composed++
        return true
      },
    }
    const models = () => [{ modelId: 'm', providerModelId: 'm', name: 'M', port, facts: UNKNOWN_MODEL }]
    const harness = await openHarness([], [], null, {
      ports: { models, facts: [settable('canvas', 'One card').source] },
    })
    await ask(harness, 'First', 1)
    expect(await notes(harness)).toHaveLength(1)
    await ask(harness, 'Second', 2)
    expect(composed).toBe(2)
  })

  it('[REQ1, REQ5] are written with the request that tells them, in one append, and the log gives that request', async () => {
    const harness = await openHarness([says('A')], [], null, withFacts(settable('canvas', 'One card').source))
    await ask(harness, 'First', 1)
    const { engine, conversationId, messages, model } = harness
    const appends = messages.flatMap((message) => (message.type === 'entries' ? [message.entries] : []))
    const noting = appends.find((entries) => entries.some(isNote)) ?? []
    expect(noting.map(({ type }) => type)).toEqual(['context-noted', 'step-started'])
    expect(sent(model.requests[0])).toContain('One card')
    const stepId = noting.find((entry) => entry.type === 'step-started')?.stepId ?? ''
    expect(await engine.receiptOf({ conversationId, stepId })).toMatchObject({ isExact: true })
  })

  it('[REQ6] are noted at the start of a turn where they are not what the model was told, and stay once sent', async () => {
    const canvas = settable('canvas', 'One card')
    const answers = [says('A'), says('B'), says('C')]
    const harness = await openHarness(answers, [], null, withFacts(canvas.source))
    await ask(harness, 'First', 1)
    await ask(harness, 'Second', 2)
    canvas.set('Two cards')
    await ask(harness, 'Third', 3)
    expect(await notes(harness)).toEqual(['One card', 'Two cards'])
    const [first, second, third] = harness.model.requests
    expect(sent(first)).toContain('One card')
    expect(first?.system).not.toContain('One card')
    expect(sent(third)).toContain('Two cards')
    expect(bytes(second).startsWith(bytes(first))).toBe(true)
    expect(bytes(third).startsWith(bytes(second))).toBe(true)
  })

  it('[REQ6] are noted after a step only where they have changed', async () => {
    const canvas = settable('canvas', 'Empty')
    const still = settable('memories', 'Likes tea')
    const reading = testTool({ name: 'read', category: 'read' })
    const tool = {
      ...reading.tool,
      run: (): string => {
        canvas.set('One card')
        return 'read'
      },
    }
    const call = calls({ callId: 'c1', name: 'read', input: { path: 'a' } })
    const harness = await openHarness([call, says('Done')], [tool], null, withFacts(canvas.source, still.source))
    await ask(harness, 'Read', 1)
    expect(await notes(harness)).toEqual(['Empty', 'Likes tea', 'One card'])
    expect(harness.model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(sent(harness.model.requests[1])).toContain('One card')
  })

  it('[REQ6] are noted again when a checkpoint has left their note out', async () => {
    const canvas = settable('canvas', 'A card named Xylophone')
    const answer = (request: ModelRequest): readonly ScriptLine[] =>
      JSON.stringify(request.messages.at(-1)).includes('<summary-request>') ? says('Goals') : says('word '.repeat(300))
    const harness = await openHarness([], [], 4_000, { ...withFacts(canvas.source), answer })
    for (const count of [1, 2, 3, 4]) await ask(harness, `Question ${'word '.repeat(200)}`, count)
    expect(await harness.types()).toContain('checkpoint-made')
    const { requests } = harness.model
    const summary = requests.findIndex((request) => sent(request).includes('<summary-request>'))
    expect(sent(requests[summary + 1])).toContain('Xylophone')
    expect(await notes(harness)).toEqual(['A card named Xylophone', 'A card named Xylophone'])
  })

  it('[REQ6] are told to nobody after a stop', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const source: FactSource = {
      section: 'canvas',
      budgetTokens: 100,
      textNow: ({ signal }) => {
        resolve()
        return new Promise((answer) => signal.addEventListener('abort', () => answer('Late'), { once: true }))
      },
    }
    const harness = await openHarness([[...begins('Never'), { type: 'wait' }]], [], null, withFacts(source))
    await harness.send('Hi', 'send-1')
    await promise
    await harness.stop('stop-1')
    await harness.until('run-finished', 1)
    expect(await notes(harness)).toEqual([])
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'stopped' })
    expect(harness.model.requests).toHaveLength(0)
  })
})

describe('the time', () => {
  it('[REQ6] is told to a turn that comes ten minutes later, and not to one that comes before', async () => {
    const time = createTimeFact({ timeZone: 'Europe/Berlin' })
    const harness = await openHarness([says('A'), says('B'), says('C')], [], null, withFacts(time))
    await ask(harness, 'First', 1)
    await harness.clock.advance(9 * MINUTE_MS)
    await ask(harness, 'Second', 2)
    await harness.clock.advance(MINUTE_MS)
    await ask(harness, 'Third', 3)
    const told = await notes(harness)
    expect(told).toHaveLength(2)
    expect(told[0]).toMatch(/^[A-Z][a-z]+day,? \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d \(Europe\/Berlin\)$/)
    expect(minutesOf(told[1]) - minutesOf(told[0])).toBe(10)
  })

  it('[REQ6] is told inside a run once an hour', async () => {
    const { textNow } = createTimeFact({ timeZone: 'UTC' })
    const noted = { text: 'At noon', at: 0 }
    const at = (minutes: number, stepCount: number): Promise<string | null> =>
      textNow({
        conversationId: 'c1',
        state: overview.initial,
        noted,
        signal: new AbortController().signal,
        now: minutes * MINUTE_MS,
        stepCount,
        question: '',
        tokensOf: () => 0,
      })
    expect(await at(59, 3)).toBe('At noon')
    expect(await at(60, 3)).toBe('Thursday, 1 January 1970 at 01:00 (UTC)')
    expect(await at(59, 0)).toBe('Thursday, 1 January 1970 at 00:59 (UTC)')
  })
})

describe('the workspace', () => {
  it('[REQ6] tells the folder, and a change of the mode with the next request', async () => {
    const permissions = {
      defaultPolicy: 'ask',
      rules: [],
      hardDenials: [],
      workspaceRoot: '/folder',
      mode: 'ask',
    } as const
    const harness = await openHarness([says('A'), says('B')], [], null, withFacts(createWorkspaceFact({ permissions })))
    const { conversationId } = harness
    await ask(harness, 'First', 1)
    await harness.engine.changeSettings({
      commandId: 'plan',
      actor: person,
      conversationId,
      changes: { permissionMode: 'plan' },
    })
    await ask(harness, 'Second', 2)
    const told = await notes(harness)
    expect(told).toHaveLength(2)
    expect(told[0]).toContain('Folder: /folder\nPermission mode: ask')
    expect(told[1]).toContain('Permission mode: plan')
  })

  it('[REQ6] says nothing where there is no folder', async () => {
    const permissions = { defaultPolicy: 'ask', rules: [], hardDenials: [], workspaceRoot: null, mode: 'ask' } as const
    const harness = await openHarness([says('A')], [], null, withFacts(createWorkspaceFact({ permissions })))
    await ask(harness, 'First', 1)
    expect(await notes(harness)).toEqual([])
  })
})

function minutesOf(text = ''): number {
  const [hours = 0, minutes = 0] = (/(\d\d):(\d\d)/.exec(text) ?? []).slice(1).map(Number)
  return hours * 60 + minutes
}

it('[REQ5] a fact that is another whenever it is asked for holds no request up', async () => {
  let asked = 0
  let words = 0
  const source: FactSource = {
    section: 'workspace',
    budgetTokens: 100,
    textNow: async () => {
      words += 1
      if (asked++ > 200) throw new Error('It is asked for without an end')
      return `Word ${words} of it`
    },
  }
  const harness = await openMetered(12_000, { facts: [source] })
  for (let turn = 1; turn <= 16; turn++) {
    await harness.ask(`${turn} ${LONG.slice(0, 2_500)}`)
    asked = 0
  }
  expect((await harness.of('run-finished')).map(({ outcome }) => outcome)).toEqual(Array(16).fill('completed'))
  expect(await harness.types()).toContain('checkpoint-made')
})
