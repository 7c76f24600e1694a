import type { Entry, EntryOf, NewEntry } from '@holdfast/conversation'
import { type ScriptLine, says } from '@holdfast/engine/testing'
import { type ModelRequest, ProviderError } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { openMetered } from './support/open-metered.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const WINDOW = 4_000

/** Words of about so many tokens. */
function words(tokens: number): string {
  return Array.from({ length: tokens }, (_, index) => `word number ${index % 9}.`)
    .join(' ')
    .slice(0, tokens * 2.5)
}

function isSummary({ messages }: ModelRequest): boolean {
  return JSON.stringify(messages.at(-1)).includes('<summary-request>')
}

async function ask(harness: Harness, text: string, count: number): Promise<void> {
  await harness.send(text, `send-${count}`)
  await harness.until('run-finished', count)
}

async function entriesOf<Type extends Entry['type']>({ log }: Harness, type: Type): Promise<readonly EntryOf<Type>[]> {
  return (await log()).filter((entry): entry is EntryOf<Type> => entry.type === type)
}

/** The marks of a request, as what each of the marked messages begins with. */
function markedOf({ messages, cacheMarks }: ModelRequest): readonly string[] {
  return (cacheMarks?.messages ?? []).map((index) => JSON.stringify(messages[index]).slice(0, 200))
}

describe('a request beside the conversation', () => {
  it('[CACHE3] stands on the marks of the request before: neither its words nor what is new are marked', async () => {
    const metered = await openMetered(4_000)
    for (let turn = 1; turn <= 12 && (await metered.of('checkpoint-made')).length === 0; turn++)
      await metered.ask(`Question ${turn}: ${words(300)}`)
    const { requests } = metered.metered
    const place = requests.findIndex(isSummary)
    const [before, summary] = [requests[place - 1], requests[place]]
    if (!before || !summary) throw new Error('No summary was asked for')
    expect(markedOf(summary)).toEqual(markedOf(before))
    const steps = await metered.of('step-started')
    const index = steps.findIndex(({ purpose }) => purpose === 'checkpoint')
    expect(steps[index]?.anchors).toEqual(steps[index - 1]?.anchors)
  })

  it('[RUN13] is asked again without thinking where its provider refuses that, and so is what follows', async () => {
    const refused = new ProviderError('bad-request', 'No thinking', { status: 400, detail: 'thinking-parameters' })
    const harness = await openHarness([], [], WINDOW, {
      answer: (request) => {
        if (request.thinkingBudgetTokens !== null && isSummary(request)) return [{ type: 'throw', error: refused }]
        return says(isSummary(request) ? 'Goals: all' : words(500))
      },
    })
    const { conversationId, engine } = harness
    const changes = { thinking: 1_024, maxOutputTokens: 1_500 }
    await engine.changeSettings({ commandId: 'think', actor, conversationId, changes })
    for (let turn = 1; turn <= 8; turn++) await ask(harness, words(200), turn)
    expect((await entriesOf(harness, 'checkpoint-made')).length).toBeGreaterThan(1)
    expect(await entriesOf(harness, 'notice-raised')).toMatchObject([{ code: 'thinking-off', model: {} }])
    const summaries = harness.model.requests.filter(isSummary)
    expect(summaries.filter(({ thinkingBudgetTokens }) => thinkingBudgetTokens !== null)).toHaveLength(1)
  })

  it('[RUN15] waits and tries again where its provider is busy, and one turn costs one summary', async () => {
    let isBusy = true
    const busy = new ProviderError('overloaded', 'Busy', { status: 529 })
    const harness = await openHarness([], [], WINDOW, {
      answer: (request) => {
        if (!isSummary(request)) return says(words(600))
        if (!isBusy) return says('Goals: all')
        isBusy = false
        return [{ type: 'throw', error: busy }]
      },
    })
    for (let turn = 1; turn <= 2; turn++) await ask(harness, words(500), turn)
    await harness.send(words(500), 'send-3')
    await harness.until('step-failed', 1)
    expect((await entriesOf(harness, 'step-failed'))[0]).toMatchObject({ attempt: 1, retryAt: expect.any(Number) })
    await harness.clock.advance(7_000)
    await harness.until('run-finished', 3)
    expect(await entriesOf(harness, 'checkpoint-made')).toHaveLength(1)
    expect(await entriesOf(harness, 'notice-raised')).toEqual([])
    expect(harness.model.requests.filter(isSummary)).toHaveLength(2)
  })

  it('[RUN15, STOP6] is stopped while it waits', async () => {
    const busy = new ProviderError('overloaded', 'Busy', { status: 529 })
    const harness = await openHarness([], [], WINDOW, {
      answer: (request) => (isSummary(request) ? [{ type: 'throw', error: busy }] : says(words(600))),
    })
    for (let turn = 1; turn <= 2; turn++) await ask(harness, words(500), turn)
    await harness.send(words(500), 'send-3')
    await harness.until('step-failed', 1)
    await harness.stop('stop-1')
    await harness.until('run-finished', 3)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'stopped' })
  })
})

describe('the length of a summary', () => {
  const tooMany: readonly ScriptLine[] = says(words(3_000))

  it('[CHK10] is bounded: it is the most that the model may write, and one that is longer is asked for again once', async () => {
    let asked = 0
    const harness = await openHarness([], [], WINDOW, {
      answer: (request) => {
        if (!isSummary(request)) return says(words(600))
        asked++
        return asked === 1 ? tooMany : says('Goals: all')
      },
    })
    for (let turn = 1; turn <= 3; turn++) await ask(harness, words(500), turn)
    expect(await entriesOf(harness, 'checkpoint-made')).toMatchObject([{ summary: 'Goals: all' }])
    const summaries = harness.model.requests.filter(isSummary)
    expect(summaries).toHaveLength(2)
    for (const { maxOutputTokens } of summaries) expect(maxOutputTokens).toBeLessThanOrEqual(800)
  })

  it('[CHK10, CHK6] that is passed twice makes none: a notice says so, and the window does instead', async () => {
    const harness = await openHarness([], [], WINDOW, {
      answer: (request) => (isSummary(request) ? tooMany : says(words(600))),
    })
    for (let turn = 1; turn <= 5; turn++) await ask(harness, words(500), turn)
    expect(await entriesOf(harness, 'checkpoint-made')).toEqual([])
    expect((await entriesOf(harness, 'notice-raised'))[0]).toMatchObject({
      code: 'checkpoint-failed',
      text: expect.stringContaining('longer than a summary may be'),
    })
    expect((await entriesOf(harness, 'run-finished')).every(({ outcome }) => outcome === 'completed')).toBe(true)
  })

  it('[CHK10] of one that came otherwise is no wall: room is made by summarising it', async () => {
    const harness = await openHarness([], [], WINDOW, {
      answer: (request) => says(isSummary(request) ? 'Goals: all' : words(100)),
    })
    for (let turn = 1; turn <= 4; turn++) await ask(harness, words(100), turn)
    const { engine, conversationId, store } = harness
    const log = await harness.log()
    const keptFromSeq = log.findLast(({ type }) => type === 'run-started')?.seq ?? 1
    const long: NewEntry = {
      type: 'checkpoint-made',
      actor,
      source: 'edit',
      coversFromSeq: 1,
      coversToSeq: keptFromSeq - 1,
      keptFromSeq,
      summary: `Goals: ${words(WINDOW * 0.75)}`,
      verbatimSeqs: [],
    }
    await store.append({ conversationId, after: log.length, entries: [long], at: 1 })
    const again = await harness.restart([])
    for (let turn = 5; turn <= 7; turn++) await ask(again, words(100), turn)
    expect((await entriesOf(again, 'run-finished')).map(({ outcome }) => outcome)).toEqual(Array(7).fill('completed'))
    expect((await entriesOf(again, 'checkpoint-made')).at(-1)).toMatchObject({ source: 'auto', summary: 'Goals: all' })
    await engine.close()
  })
})
