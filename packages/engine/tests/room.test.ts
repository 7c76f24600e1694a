import { type Entry, type EntryOf, overview } from '@holdfast/conversation'
import { begins, createScriptedModel, type ScriptLine, says } from '@holdfast/engine/testing'
import {
  freePrice,
  type ModelPort,
  type ModelRequest,
  ProviderError,
  UNKNOWN_MODEL,
  withOverride,
} from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const WINDOW = 4_000

/** Words of about so many tokens. */
function words(tokens: number): string {
  return Array.from({ length: Math.ceil(tokens / 4) }, (_, index) => `word number ${index % 9}.`)
    .join(' ')
    .slice(0, tokens * 2.5)
}

function used(inputTokens: number): ScriptLine {
  const nothing = { cacheReadTokens: 0, cacheCreation5mTokens: 0, cacheCreation1hTokens: 0, thinkingTokens: 0 }
  return { type: 'usage', usage: { inputTokens, outputTokens: 10, ...nothing } }
}

async function ask(harness: Harness, text: string, count: number): Promise<void> {
  await harness.send(text, `send-${count}`)
  await harness.until('run-finished', count)
}

async function entriesOf<Type extends Entry['type']>({ log }: Harness, type: Type): Promise<readonly EntryOf<Type>[]> {
  return (await log()).filter((entry) => isOfType(entry, type))
}

function isOfType<Type extends Entry['type']>(entry: Entry, type: Type): entry is EntryOf<Type> {
  return entry.type === type
}

describe('room in the window', () => {
  it('[WIN1] is not looked for twice: a request that fits as it is is composed once, at each step', async () => {
    let composed = 0
    const port: ModelPort = {
      ...createScriptedModel([calls({ callId: 'c1', name: 'read', input: { path: 'a' } }), says('Done'), says('More')]),
      // Asked by each composing, and by nothing else.
      bindsThinking() {
        composed++
        return true
      },
    }
    const facts = withOverride(UNKNOWN_MODEL, { price: freePrice('local'), contextWindowTokens: WINDOW })
    const models = () => [{ modelId: 'm', providerModelId: 'm', name: 'M', port, facts }]
    const { tool } = testTool({ name: 'read', category: 'read' })
    const harness = await openHarness([], [tool], null, { ports: { models } })
    await ask(harness, 'First', 1)
    expect(composed).toBe(2)
    await ask(harness, 'Second', 2)
    expect(composed).toBe(3)
  })

  it('[CHK5] makes a checkpoint by itself when the share of the window is reached, and sends its summary', async () => {
    const harness = await openHarness(
      [
        says(words(600)),
        says(words(600)),
        says(words(600)),
        says('Goals: the tests'),
        says('On we go'),
        says('And on'),
      ],
      [],
      WINDOW,
    )
    for (const count of [1, 2, 3]) await ask(harness, `Question ${count}: ${words(300)}`, count)
    await ask(harness, 'The last question', 4)
    const [made] = await entriesOf(harness, 'checkpoint-made')
    expect(made).toMatchObject({ source: 'auto', summary: 'Goals: the tests' })
    const [, , , summary, next] = harness.model.requests
    expect(JSON.stringify(summary?.messages.at(-1))).toContain('<summary-request>')
    expect(JSON.stringify(next?.messages[0])).toContain('Goals: the tests')
    expect(JSON.stringify(next?.messages.at(-1))).toContain('The last question')
    expect(next?.messages.length).toBeLessThan(summary?.messages.length ?? 0)
    expect((await entriesOf(harness, 'usage-recorded')).map(({ purpose }) => purpose)).toEqual([
      ...['turn', 'turn', 'turn', 'checkpoint', 'turn'],
    ])
    await ask(harness, 'Another', 5)
    expect(await entriesOf(harness, 'checkpoint-made')).toHaveLength(1)
  })

  it('[CHK3] asks for the summary on the prefix of the conversation, and never runs what it calls', async () => {
    const { tool, started } = testTool({ name: 'read', category: 'read' })
    const call = calls({ callId: 'c1', name: 'read', input: { path: 'a' } })
    const harness = await openHarness([says(words(800)), says(words(800)), call, call, says('After')], [tool], WINDOW)
    for (const count of [1, 2]) await ask(harness, words(440), count)
    await ask(harness, 'Go on', 3)
    expect(started).toEqual([])
    const [, turn, first, second] = harness.model.requests
    expect(first?.messages.slice(0, 3)).toEqual([...(turn?.messages ?? []).slice(0, 3)])
    expect(first?.tools).toEqual(turn?.tools)
    expect(second).toEqual(first)
    expect(await entriesOf(harness, 'checkpoint-made')).toEqual([])
    expect(await entriesOf(harness, 'notice-raised')).toMatchObject([{ code: 'checkpoint-failed' }])
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'completed' })
  })

  it('[CHK6] says so when no summary could be made, and lets the window do instead', async () => {
    const failing: readonly ScriptLine[] = [
      { type: 'throw', error: new ProviderError('quota', 'Nothing left', { status: 402 }) },
    ]
    const harness = await openHarness([says(words(900)), says(words(900)), failing, says('Without')], [], WINDOW)
    for (const count of [1, 2]) await ask(harness, words(600), count)
    await ask(harness, words(300), 3)
    expect(await entriesOf(harness, 'notice-raised')).toMatchObject([
      { code: 'checkpoint-failed', text: expect.stringContaining('Nothing left') },
    ])
    const [moved] = await entriesOf(harness, 'window-moved')
    expect(moved?.leftOutCount).toBeGreaterThan(0)
    expect(JSON.stringify(harness.model.requests.at(-1)?.messages[0])).toContain(
      `${moved?.leftOutCount} earlier messages`,
    )
    const state = overview.reduce(overview.initial, await harness.log())
    expect(state.ledger.total.requestCount).toBe(harness.model.requests.length)
  })

  it('[CHK9] makes room at step boundaries of one long run: what was asked stays, and the run ends complete', async () => {
    const reading = testTool({ name: 'read', category: 'read' })
    const tool = { ...reading.tool, run: (): string => words(500) }
    const answer = (request: ModelRequest, made: number): readonly ScriptLine[] => {
      const last = JSON.stringify(request.messages.at(-1))
      if (last.includes('<summary-request>')) return says('Goals: read on. State: some were read')
      if (made >= 40) return says('All read')
      return calls({ callId: `c${made}`, name: 'read', input: { path: `file-${made}` } })
    }
    const harness = await openHarness([], [tool], WINDOW, { answer })
    await harness.send('Read forty files, and mind the secret word: xylophone', 'send-1')
    await harness.until('run-finished', 1)
    expect((await harness.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' })
    expect((await entriesOf(harness, 'checkpoint-made')).length).toBeGreaterThan(2)
    expect((await entriesOf(harness, 'tool-call-settled')).every(({ outcome }) => outcome === 'ok')).toBe(true)
    const turns = harness.model.requests.filter(
      ({ messages }) => !JSON.stringify(messages.at(-1)).includes('<summary-request>'),
    )
    for (const { messages } of turns) {
      const text = JSON.stringify(messages)
      expect(text).toContain('xylophone')
      expect(text.length).toBeLessThan(WINDOW * 2.5 * 1.2)
    }
  })

  it('[CHK8] makes room and asks again when the provider finds a request too long', async () => {
    const tooLong: readonly ScriptLine[] = [
      { type: 'throw', error: new ProviderError('too-long', 'Too long', { status: 400 }) },
    ]
    const harness = await openHarness(
      [says(words(300)), says(words(300)), tooLong, says('Summary'), says('It fits now')],
      [],
      WINDOW,
    )
    for (const count of [1, 2]) await ask(harness, words(200), count)
    await ask(harness, 'And this', 3)
    expect(await entriesOf(harness, 'checkpoint-made')).toHaveLength(1)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'completed' })
  })

  const TOO_LONG: readonly ScriptLine[] = [
    { type: 'throw', error: new ProviderError('too-long', 'Too long', { status: 400 }) },
  ]
  const READ = calls({ callId: 'c1', name: 'read', input: { path: 'a' } })
  /** A tool whose result is as long as one item may be. */
  const long = { ...testTool({ name: 'read', category: 'read' }).tool, run: (): string => words(800) }

  it('[CHK8, RUN13] sends smaller excerpts of long results first, says so, and makes no checkpoint when that is enough', async () => {
    const harness = await openHarness(
      [says(words(200)), READ, TOO_LONG, says('It fits now'), says('Again')],
      [long],
      WINDOW,
    )
    await ask(harness, 'First', 1)
    await ask(harness, 'Read it', 2)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'completed' })
    expect(await harness.types()).not.toContain('checkpoint-made')
    expect(await entriesOf(harness, 'notice-raised')).toMatchObject([{ code: 'excerpts-smaller' }])
    const [, , refused, accepted] = harness.model.requests
    expect(JSON.stringify(refused?.messages)).not.toContain('read_result')
    expect(JSON.stringify(accepted?.messages)).toContain('read_result {')
    expect(JSON.stringify(accepted?.messages).length).toBeLessThan(JSON.stringify(refused?.messages).length * 0.6)
    // What is sent small stays so, and what comes later is sent as usual.
    await ask(harness, 'And?', 3)
    expect(harness.model.requests.at(-1)?.messages.slice(0, accepted?.messages.length)).toEqual(accepted?.messages)
  })

  it('[CHK8] then makes a checkpoint, then moves the window beyond what its estimate asks for', async () => {
    const scripts = [
      ...[says(words(300)), says(words(300)), says(words(300)), READ],
      ...[TOO_LONG, TOO_LONG, says('Goals: read'), TOO_LONG, says('At last')],
    ]
    const harness = await openHarness(scripts, [long], WINDOW)
    for (const count of [1, 2, 3]) await ask(harness, `Question ${count}`, count)
    await ask(harness, 'Read it', 4)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'completed' })
    const rungs = (await harness.types()).filter((type) =>
      ['step-failed', 'notice-raised', 'checkpoint-made', 'window-moved'].includes(type),
    )
    expect(rungs).toEqual([
      ...['step-failed', 'notice-raised', 'step-failed', 'checkpoint-made', 'step-failed', 'window-moved'],
    ])
    const sizes = harness.model.requests.slice(-5).map(({ messages }) => JSON.stringify(messages).length)
    expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
    expect(sizes[3]).toBeLessThan(sizes[1] ?? 0)
    expect(sizes[4]).toBeLessThan(sizes[3] ?? 0)
  })

  it('[CHK8] gives up when it stays too long, and says what the window holds', async () => {
    const tooLong: readonly ScriptLine[] = [
      { type: 'throw', error: new ProviderError('too-long', 'Too long', { status: 400 }) },
    ]
    const harness = await openHarness([tooLong], [], WINDOW)
    await ask(harness, 'Short', 1)
    expect(harness.model.requests.length).toBeLessThanOrEqual(4)
    expect((await harness.log()).at(-1)).toMatchObject({ type: 'run-finished' })
    expect((await harness.log()).at(-1)).not.toMatchObject({ outcome: 'completed' })
  })

  it('[WIN1] refuses instructions that alone are larger than the window, and names the parts', async () => {
    const harness = await openHarness([says('Never')], [], WINDOW)
    await harness.engine.changeSettings({
      commandId: 'rules',
      actor: { type: 'person', userId: 'user_1' },
      conversationId: harness.conversationId,
      changes: { instructions: words(8_000) },
    })
    await ask(harness, 'Hi', 1)
    expect(harness.model.requests).toHaveLength(0)
    expect((await harness.log()).at(-1)).toMatchObject({
      outcome: 'limit',
      reason: expect.stringMatching(/system \d{4}, input \d+/),
    })
  })

  it('[STOP6] stops a summary like any other request', async () => {
    const harness = await openHarness(
      [says(words(900)), says(words(900)), [...begins('Goals'), { type: 'wait' }]],
      [],
      WINDOW,
    )
    for (const count of [1, 2]) await ask(harness, words(500), count)
    await harness.send('Go on', 'send-3')
    await harness.untilPublished('Goals')
    await harness.stop('stop-1')
    await harness.clock.advance(5_000)
    await harness.until('run-finished', 3)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'stopped' })
    expect(await entriesOf(harness, 'checkpoint-made')).toEqual([])
  })

  it('[CACHE2] records the anchors with the request, and the summary stands on those before', async () => {
    const harness = await openHarness(
      [[...says('One').slice(0, -1), used(900), ...says('One').slice(-1)], says('Two')],
      [],
      WINDOW,
    )
    await ask(harness, 'First', 1)
    await ask(harness, 'Second', 2)
    const steps = await entriesOf(harness, 'step-started')
    expect(steps[0]?.anchors).toHaveLength(1)
    expect(steps[1]?.anchors).toEqual(expect.arrayContaining([...(steps[0]?.anchors ?? [])]))
    expect(harness.model.requests[1]?.cacheMarks).toMatchObject({ ttl: '5m', system: true })
  })
})
