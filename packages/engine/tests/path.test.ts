import { type Entry, entriesOnPath, overview, pathRanges } from '@holdfast/conversation'
import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { ProviderError } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const waits: readonly ScriptLine[] = [...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }]

/** A conversation with two answered messages, and what its model says afterwards. */
async function twoTurns(after: readonly (readonly ScriptLine[])[]): Promise<Harness> {
  const harness = await openHarness([says('One'), says('Two'), ...after])
  await harness.send('First', 'send-1')
  await harness.until('run-finished', 1)
  await harness.send('Second', 'send-2')
  await harness.until('run-finished', 2)
  await idle(harness)
  return harness
}

/** Waits until the run's end has been folded by the engine too. */
async function idle({ engine, conversationId }: Harness): Promise<void> {
  await engine.resume(conversationId)
}

async function ends({ log }: Harness): Promise<readonly number[]> {
  return (await log()).flatMap((entry) => (entry.type === 'run-finished' ? [entry.seq] : []))
}

function wordsOf(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.type === 'user-message-sent')
      return entry.content.map((part) => (part.type === 'text' ? part.text : part.type))
    return entry.type === 'step-finished'
      ? entry.blocks.map((block) => (block.type === 'tool-call' ? block.name : block.text))
      : []
  })
}

async function wordsOnPath({ log }: Harness): Promise<readonly string[]> {
  const entries = await log()
  return wordsOf(entriesOnPath(entries, pathRanges(overview.reduce(overview.initial, entries).path)))
}

const text = (words: string) => [{ type: 'text' as const, text: words }]

describe('rewind', () => {
  it('[PRJ6] edits a message: one append with the accounting line and what is asked instead', async () => {
    const harness = await twoTurns([says('Other')])
    const { engine, conversationId, log, until, model } = harness
    const [first = 0] = await ends(harness)
    const before = (await log()).length
    const edit = { commandId: 'edit', actor, conversationId, toSeq: first, reason: 'edit' as const }
    const rewound = await engine.rewind({ ...edit, content: text('Second, better') })
    expect(rewound.seq).toBe(before + 1)
    await until('run-finished', 3)
    const entries = await log()
    expect(entries.slice(before, before + 2)).toMatchObject([
      { type: 'path-rewound', toSeq: first, reason: 'edit', setAsideCount: 2, totals: { requestCount: 2 } },
      { type: 'input-admitted', inputId: rewound.inputId },
    ])
    expect(overview.reduce(overview.initial, entries).ledger.wrongTotals).toEqual([])
    expect(await wordsOnPath(harness)).toEqual(['First', 'One', 'Second, better', 'Other'])
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('"Second"')
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('First')
  })

  it('[PRJ6] retries with what the person had said, and keeps the old answer readable', async () => {
    const harness = await twoTurns([says('Two again')])
    const { engine, conversationId, log, until } = harness
    const [first = 0] = await ends(harness)
    await engine.rewind({ commandId: 'retry', actor, conversationId, toSeq: first, reason: 'retry' })
    await until('run-finished', 3)
    expect(await wordsOnPath(harness)).toEqual(['First', 'One', 'Second', 'Two again'])
    expect(wordsOf(await log())).toContain('Two')
  })

  it('[PRJ6, RUN16] retries after an error with the same words, once, and with an accounting line of its own', async () => {
    const refused = new ProviderError('auth', 'No such key', { status: 401 })
    const harness = await openHarness([says('One'), [{ type: 'throw', error: refused }], says('Two')])
    const { engine, conversationId, log, until, send, model } = harness
    await send('First', 'send-1')
    await until('run-finished', 1)
    const toSeq = (await log()).length
    await send('Second', 'send-2')
    await until('run-finished', 2)
    const retry = { commandId: 'again', actor, conversationId, toSeq, reason: 'retry-after-error' as const }
    await engine.rewind(retry)
    await until('run-finished', 3)
    expect((await log()).find((entry) => entry.type === 'path-rewound')).toMatchObject({
      reason: 'retry-after-error',
      setAsideCount: 1,
    })
    expect(JSON.stringify(model.requests.at(-1)?.messages).match(/Second/g)).toHaveLength(1)
    expect(await wordsOnPath(harness)).toEqual(['First', 'One', 'Second', 'Two'])
  })

  it('[PRJ6] goes back to the beginning, and asks nothing when nothing is to be asked', async () => {
    const harness = await twoTurns([])
    const { engine, conversationId, clock } = harness
    const rewound = await engine.rewind({ commandId: 'back', actor, conversationId, toSeq: 0, reason: 'rewind' })
    expect(rewound.inputId).toBeNull()
    await clock.advance(1_000)
    expect(await wordsOnPath(harness)).toEqual([])
  })

  it('[PRJ6] is refused at any place but the end of an exchange on the path', async () => {
    const harness = await twoTurns([])
    const { engine, conversationId, log } = harness
    const entries = await log()
    const [first = 0, second = 0] = await ends(harness)
    const secondStart = entries.findLast(({ type }) => type === 'run-started')?.seq ?? 0
    const isEnd = (seq: number) => seq === 0 || (seq >= first && seq < secondStart) || seq >= second
    for (let toSeq = 0; toSeq <= entries.length + 1; toSeq++) {
      const command = { commandId: `to-${toSeq}`, actor, conversationId, toSeq, reason: 'rewind' as const }
      const fresh = await twoTurns([])
      const asked = fresh.engine.rewind({ ...command, conversationId: fresh.conversationId })
      if (isEnd(toSeq) && toSeq <= entries.length) await asked
      else await expect(asked).rejects.toMatchObject({ code: 'path-refused', ids: { seq: toSeq } })
    }
    await engine.rewind({ commandId: 'back', actor, conversationId, toSeq: first, reason: 'rewind' })
    const aside = { commandId: 'aside', actor, conversationId, toSeq: second, reason: 'rewind' as const }
    await expect(engine.rewind(aside)).rejects.toThrow('set aside')
  })

  it('[PRJ6] is refused while a turn runs, and does nothing then', async () => {
    const harness = await openHarness([says('One'), waits])
    const { engine, conversationId, send, until, untilPublished, model, log } = harness
    await send('First', 'send-1')
    await until('run-finished', 1)
    await send('Second', 'send-2')
    await untilPublished('OneOne')
    const [first = 0] = await ends(harness)
    const rewind = { commandId: 'edit', actor, conversationId, toSeq: first, reason: 'edit' as const }
    await expect(engine.rewind(rewind)).rejects.toMatchObject({ code: 'run-active' })
    await expect(
      engine.selectPath({ commandId: 'select', actor, conversationId, headSeq: first }),
    ).rejects.toMatchObject({ code: 'run-active' })
    model.proceed()
    await until('run-finished', 2)
    expect((await log()).some(({ type }) => type === 'path-rewound')).toBe(false)
  })

  it('[LOG4] is answered as then when it is sent again, also while its own answer runs', async () => {
    const harness = await openHarness([says('One'), waits])
    const { engine, conversationId, send, until, untilPublished, model, log } = harness
    await send('First', 'send-1')
    await until('run-finished', 1)
    await idle(harness)
    const again = { commandId: 'retry', actor, conversationId, toSeq: 0, reason: 'retry' as const }
    const answered = await engine.rewind(again)
    await untilPublished('OneOne')
    expect(await engine.rewind(again)).toEqual(answered)
    await expect(engine.rewind({ ...again, reason: 'redo' })).rejects.toMatchObject({ code: 'command-reused' })
    await expect(engine.rewind({ ...again, commandId: 'other' })).rejects.toMatchObject({ code: 'run-active' })
    model.proceed()
    await until('run-finished', 2)
    expect((await log()).filter(({ type }) => type === 'path-rewound')).toHaveLength(1)
  })

  it('[LOG4] answers any command that was carried out before as then, whatever has changed since', async () => {
    const harness = await openHarness([waits])
    const { engine, conversationId, send, untilPublished, model, until, log } = harness
    await send('First', 'send-1')
    await untilPublished('One')
    const { inputId } = await send('Second', 'send-2')
    const remove = { commandId: 'remove', actor, conversationId, inputId }
    await engine.removeInput(remove)
    await engine.removeInput(remove)
    await expect(engine.removeInput({ ...remove, commandId: 'other' })).rejects.toMatchObject({
      code: 'input-not-waiting',
    })
    expect((await log()).filter(({ type }) => type === 'input-removed')).toHaveLength(1)
    model.proceed()
    await until('run-finished', 1)
  })

  it('[STOP9] goes before what a stop holds', async () => {
    const harness = await openHarness([waits, says('Again'), says('Held')])
    const { engine, conversationId, send, stop, untilPublished, model, until } = harness
    await send('First', 'send-1')
    await untilPublished('One')
    await send('Held', 'send-2')
    await stop('stop')
    model.proceed()
    await until('run-finished', 1)
    await idle(harness)
    await engine.rewind({ commandId: 'retry', actor, conversationId, toSeq: 0, reason: 'retry' })
    await until('run-finished', 3)
    expect(await wordsOnPath(harness)).toEqual(['First', 'Again', 'Held', 'Held'])
  })
})

describe('branches', () => {
  it('[PRJ6] come back when they are selected, and what was selected from is kept', async () => {
    const harness = await twoTurns([says('Other'), says('Three')])
    const { engine, conversationId, until, send, log } = harness
    const [first = 0, second = 0] = await ends(harness)
    const edit = { commandId: 'edit', actor, conversationId, toSeq: first, reason: 'edit' as const }
    await engine.rewind({ ...edit, content: text('Else') })
    await until('run-finished', 3)
    await idle(harness)
    const other = (await ends(harness))[2] ?? 0
    await engine.selectPath({ commandId: 'select', actor, conversationId, headSeq: second })
    expect(await wordsOnPath(harness)).toEqual(['First', 'One', 'Second', 'Two'])
    await engine.selectPath({ commandId: 'select-2', actor, conversationId, headSeq: other })
    expect(await wordsOnPath(harness)).toEqual(['First', 'One', 'Else', 'Other'])
    await engine.selectPath({ commandId: 'select-3', actor, conversationId, headSeq: second })
    await send('Third', 'send-3')
    await until('run-finished', 4)
    expect(await wordsOnPath(harness)).toEqual(['First', 'One', 'Second', 'Two', 'Third', 'Three'])
    expect(overview.reduce(overview.initial, await log()).ledger.wrongTotals).toEqual([])
  })

  it('[PRJ6] are selected at the end of an exchange only, and never to lose what follows without a line', async () => {
    const harness = await twoTurns([])
    const { engine, conversationId, log } = harness
    const [first = 0, second = 0] = await ends(harness)
    const select = (headSeq: number) =>
      engine.selectPath({ commandId: `select-${headSeq}`, actor, conversationId, headSeq })
    await expect(select(first)).rejects.toThrow('on the path already')
    await expect(select(first + 2)).rejects.toThrow('not the end of an exchange')
    await expect(select(0)).rejects.toThrow('not the end of an exchange')
    await expect(select(9_999)).rejects.toThrow('the log ends at')
    const before = (await log()).length
    await select(second)
    expect(await log()).toHaveLength(before)
  })
})
