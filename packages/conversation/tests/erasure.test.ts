import {
  coversAny,
  type Entry,
  ErasureRefusedError,
  entriesToErase,
  erasedEntries,
  erasureCandidates,
  isErasable,
  ledger,
  listing,
  type NewEntry,
  pendingPermissions,
  queue,
  readStoredEntry,
  runState,
  toListing,
  tombstone,
  tombstones,
  UPCASTS,
} from '@holdfast/conversation'
import {
  arbitraryLog,
  checkpointMade,
  conversationCreated,
  inputAdmitted,
  logOf,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  titleChanged,
  toolCallBlock,
  toolCallSettled,
  toolCallStarted,
  userMessageSent,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const ERASED = { reason: 'asked for', at: 9_000 }
const engine = { type: 'engine' } as const

function log(entries: readonly NewEntry[]): Entry[] {
  return logOf('a', [conversationCreated('user_1'), ...entries])
}

/** The log after the entries that can be erased, of these, are. */
function erasedLog(entries: readonly Entry[], picks: readonly number[]): Entry[] {
  const seqs = picks
    .map((pick) => (pick % entries.length) + 1)
    .filter((seq) => entries.some((entry) => entry.seq === seq && isErasable(entry)))
  const gone = new Set(entriesToErase(entries, seqs))
  return entries.map((entry) => (gone.has(entry) ? tombstone(entry, ERASED) : entry))
}

describe('a tombstone', () => {
  it('[LOG9] stands at the place of the entry and says what it was about, without its words', () => {
    const settled = toolCallSettled('run_1', 'step_1', { callId: 'call_1', name: 'shell', outcome: 'ok' })
    const [, entry] = log([{ ...settled, content: [{ type: 'text', text: 'a secret' }] }])
    if (!entry) throw new Error('The log has no second entry')
    const stone = tombstone(entry, ERASED)
    expect(stone).toEqual({
      conversationId: 'a',
      seq: 2,
      at: 1_001,
      v: 1,
      type: 'body-erased',
      actor: engine,
      erasedType: 'tool-call-settled',
      of: { runId: 'run_1', stepId: 'step_1', callId: 'call_1' },
      reason: 'asked for',
      erasedAt: 9_000,
    })
    expect(readStoredEntry(JSON.parse(JSON.stringify(stone)), UPCASTS)).toEqual(stone)
  })

  it('[LOG9] is the receipt of the whole act: who, when and which kinds', () => {
    const erased = log([inputAdmitted('input_1', 'a secret'), userMessageSent('run_1', 'input_1', 'a secret')]).slice(1)
    const by = { type: 'person', userId: 'user_1' } as const
    const receipt = { erasedBy: by, erasedAt: 9_000, together: { 'input-admitted': 1, 'user-message-sent': 1 } }
    const stones = tombstones(erased, { ...ERASED, by })
    expect(stones).toMatchObject([
      { seq: 2, ...receipt },
      { seq: 3, ...receipt },
    ])
    expect(JSON.stringify(stones)).not.toContain('a secret')
    for (const stone of stones) expect(readStoredEntry(JSON.parse(JSON.stringify(stone)), UPCASTS)).toEqual(stone)
  })

  it('[LOG9] is refused for what holds nobody’s words', () => {
    fc.assert(
      fc.property(arbitraryLog, (entries) => {
        for (const entry of entries) {
          if (isErasable(entry)) expect(tombstone(entry, ERASED)).toMatchObject({ seq: entry.seq, type: 'body-erased' })
          else expect(() => tombstone(entry, ERASED)).toThrow(ErasureRefusedError)
        }
      }),
    )
  })
})

describe('what goes with an erased entry', () => {
  const seqsOf = (entries: readonly NewEntry[], seqs: readonly number[]) =>
    entriesToErase(log(entries), seqs).map(({ seq }) => seq)

  it('[LOG9] are the places where an input was admitted, changed and sent', () => {
    const content = [{ type: 'text' as const, text: 'a secret' }]
    const entries: NewEntry[] = [
      inputAdmitted('input_1', 'a secret'),
      { type: 'input-changed', actor: engine, inputId: 'input_1', content },
      inputAdmitted('input_2', 'harmless'),
      userMessageSent('run_1', 'input_1', 'a secret'),
    ]
    for (const seq of [2, 3, 5]) expect(seqsOf(entries, [seq])).toEqual([2, 3, 5])
    expect(seqsOf(entries, [4])).toEqual([4])
  })

  it('[LOG9] are the copies of a call’s input, and not its result', () => {
    const call = { callId: 'call_1', name: 'shell' }
    const entries: NewEntry[] = [
      stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'shell')]),
      {
        type: 'permission-requested',
        actor: engine,
        runId: 'run_1',
        stepId: 'step_1',
        requestId: 'p',
        userId: 'u',
        callId: 'call_1',
        tool: 'shell',
        input: {},
        reason: '',
        source: 'default-policy',
      },
      toolCallStarted('run_1', 'step_1', call),
      toolCallSettled('run_1', 'step_1', { ...call, outcome: 'ok' }),
    ]
    for (const seq of [2, 3, 4]) expect(seqsOf(entries, [seq])).toEqual([2, 3, 4])
    expect(seqsOf(entries, [5])).toEqual([5])
  })

  it('[LOG9] is the answer that a title or a summary was taken from', () => {
    const run = (runId: string, stepId: string, purpose: 'title' | 'checkpoint' | 'turn'): NewEntry[] => [
      runStarted(runId, purpose),
      stepStarted(runId, stepId, purpose),
      stepFinished(runId, stepId, [textBlock('a secret')]),
    ]
    const titled: NewEntry = { type: 'title-changed', actor: engine, title: 'A secret', source: 'auto', runId: 'run_1' }
    expect(seqsOf([...run('run_1', 'step_1', 'title'), titled], [5])).toEqual([4, 5])
    expect(seqsOf([...run('run_1', 'step_1', 'turn'), titled], [5])).toEqual([5])
    const summed = { ...checkpointMade({ fromSeq: 1, toSeq: 1 }, 'A secret'), runId: 'run_1' }
    expect(seqsOf([...run('run_1', 'step_1', 'checkpoint'), summed], [5])).toEqual([4, 5])
    expect(seqsOf([titleChanged('One', 'user'), titleChanged('Two', 'user')], [2])).toEqual([2])
    // It was made of what was said before; the title of a person is theirs.
    const asked = userMessageSent('run_0', 'input_1', 'a secret')
    expect(seqsOf([asked, ...run('run_1', 'step_1', 'title'), titled], [2])).toEqual([2, 5, 6])
    expect(seqsOf([...run('run_1', 'step_1', 'title'), titled, asked], [6])).toEqual([6])
    expect(seqsOf([asked, titleChanged('Mine', 'user')], [2])).toEqual([2])
    expect(seqsOf([asked, titleChanged('A secret', 'auto')], [2])).toEqual([2, 3])
  })

  it('[LOG9, LOG22] is the answer to a request for a title or a summary that led to none', () => {
    const side = (runId: string, purpose: 'title' | 'checkpoint'): NewEntry[] => [
      runStarted(runId, purpose),
      stepStarted(runId, `step of ${runId}`, purpose),
      stepFinished(runId, `step of ${runId}`, [textBlock('a secret, cut')]),
    ]
    const asked = userMessageSent('run_0', 'input_1', 'a secret')
    expect(seqsOf([...side('run_1', 'title'), asked, ...side('run_2', 'title')], [5])).toEqual([5, 8])
    expect(seqsOf([...side('run_1', 'checkpoint'), asked, ...side('run_2', 'checkpoint')], [5])).toEqual([5, 8])
    // One that led to a summary goes with it; a title is no part of what a summary is made of.
    const summed = { ...checkpointMade({ fromSeq: 1, toSeq: 1 }, 'harmless'), runId: 'run_1' }
    expect(seqsOf([asked, ...side('run_1', 'checkpoint'), summed], [2])).toEqual([2])
    expect(seqsOf([titleChanged('A secret', 'user'), ...side('run_1', 'checkpoint')], [2])).toEqual([2])
  })

  it('[LOG9] are the checkpoints that cover it, and those that were made from them', () => {
    const entries: NewEntry[] = [
      inputAdmitted('input_1', 'a secret'),
      inputAdmitted('input_2', 'harmless'),
      checkpointMade({ fromSeq: 1, toSeq: 2 }, 'of the secret'),
      checkpointMade({ fromSeq: 3, toSeq: 3 }, 'harmless'),
      checkpointMade({ fromSeq: 3, toSeq: 4 }, 'from the first'),
    ]
    expect(seqsOf(entries, [2])).toEqual([2, 4, 6])
    expect(seqsOf(entries, [3])).toEqual([3, 5, 6])
    const kept = { ...checkpointMade({ fromSeq: 3, toSeq: 3 }, 'word for word'), verbatimSeqs: [2] }
    const [last] = log([kept]).slice(-1)
    expect(last && [coversAny(last, [2]), coversAny(last, [4])]).toEqual([true, false])
  })
})

describe('what a person gave on the canvas', () => {
  const person = { type: 'person', userId: 'user_1' } as const
  const answered = (elementId: string, values: Record<string, string>, runId: string): NewEntry[] => {
    const content = [{ type: 'canvas' as const, elementId, answer: values }]
    const inputId = `input_${runId}`
    return [
      {
        type: 'canvas-changed',
        actor: person,
        agentId: 'default',
        version: 2,
        operations: [{ type: 'answer-form', elementId, values }],
      },
      { type: 'input-admitted', actor: person, inputId, lane: 'turn', origin: 'canvas', content },
      { type: 'context-noted', actor: engine, section: 'canvas', text: `answered ${JSON.stringify(values)}` },
      { type: 'user-message-sent', actor: person, runId, inputId, content },
    ]
  }
  const entries = log([
    { type: 'context-noted', actor: engine, section: 'canvas', text: 'waits for the person' },
    ...answered('form-1', { name: 'a secret' }, 'run_1'),
    ...answered('form-2', { name: 'harmless' }, 'run_2'),
    { type: 'context-noted', actor: engine, section: 'time', text: 'Monday' },
  ])

  it('[LOG9, CANVAS6] is erased from the canvas, and from what the model was told of it, with its message', () => {
    const seqs = entriesToErase(entries, [6]).map(({ seq }) => seq)
    expect(seqs).toEqual([3, 4, 5, 6, 9])
    expect(entriesToErase(entries, [10]).map(({ seq }) => seq)).toEqual([7, 8, 9, 10])
  })

  it('[LOG9] is found among the candidates, which need not be the whole log', () => {
    const found = erasureCandidates(entries.filter(({ seq }) => seq === 6))
    while (found.take(entries));
    const inOrder = found.found().toSorted((a, b) => a.seq - b.seq)
    expect(inOrder.length).toBeLessThan(entries.length)
    expect(entriesToErase(inOrder, [6])).toEqual(entriesToErase(entries, [6]))
  })
})

describe('the candidates of an erasure', () => {
  it('[LOG9] say the same as the whole log, in whatever pages it is walked', () => {
    fc.assert(
      fc.property(arbitraryLog, fc.nat(1_000), fc.integer({ min: 1, max: 20 }), (entries, pick, pageSize) => {
        const named = entries[pick % entries.length]?.seq ?? 0
        const found = erasureCandidates(entries.filter(({ seq, type }) => seq === named || type === 'checkpoint-made'))
        for (let grew = true; grew; ) {
          grew = false
          for (let from = 0; from < entries.length; from += pageSize)
            grew = found.take(entries.slice(from, from + pageSize)) || grew
        }
        const inOrder = found.found().toSorted((a, b) => a.seq - b.seq)
        expect(entriesToErase(inOrder, [named])).toEqual(entriesToErase(entries, [named]))
      }),
    )
  })

  it('[LOG9, LOG22] are the answers to requests that led to no title and no summary too', () => {
    const entries = log([
      userMessageSent('run_0', 'input_1', 'a secret'),
      ...(['title', 'checkpoint'] as const).flatMap((purpose) => [
        runStarted(`run of ${purpose}`, purpose),
        stepStarted(`run of ${purpose}`, `step of ${purpose}`, purpose),
        stepFinished(`run of ${purpose}`, `step of ${purpose}`, [textBlock('a secret, cut')]),
      ]),
    ])
    const found = erasureCandidates(entries.slice(1, 2))
    while (found.take(entries));
    const inOrder = found.found().toSorted((a, b) => a.seq - b.seq)
    expect(entriesToErase(inOrder, [2]).map(({ seq }) => seq)).toEqual([2, 5, 8])
  })

  it('[LOG9] lead back to entries that were passed before', () => {
    const content = [{ type: 'canvas' as const, elementId: 'form-1', answer: 'a secret' }]
    const entries = log([
      inputAdmitted('input_1', 'harmless'),
      { type: 'input-changed', actor: engine, inputId: 'input_1', content },
      {
        type: 'canvas-changed',
        actor: { type: 'person', userId: 'user_1' },
        agentId: 'default',
        version: 1,
        operations: [{ type: 'answer-confirmation', elementId: 'form-1', choiceId: 'a secret' }],
      },
    ])
    const found = erasureCandidates(entries.slice(3))
    expect([found.take(entries), found.take(entries)]).toEqual([true, false])
    const inOrder = found.found().toSorted((a, b) => a.seq - b.seq)
    expect(entriesToErase(inOrder, [4]).map(({ seq }) => seq)).toEqual([2, 3, 4])
  })

  it('[LOG9] are refused where a named entry is not there or holds nobody’s words', () => {
    const entries = log([inputAdmitted('input_1', 'a secret'), runStarted('run_1', 'turn')])
    expect(erasedEntries(entries, [2])).toEqual([entries[1]])
    for (const seq of [1, 3, 4]) expect(() => erasedEntries(entries, [2, seq])).toThrow(ErasureRefusedError)
  })
})

describe('a log with erased entries', () => {
  const erasures = fc.array(fc.nat(1_000), { maxLength: 4 })

  it('[LOG9] has the same figures as before', () => {
    fc.assert(
      fc.property(arbitraryLog, erasures, (before, picks) => {
        const after = erasedLog(before, picks)
        expect(ledger.reduce(ledger.initial, after)).toEqual(ledger.reduce(ledger.initial, before))
        const rows = [before, after].map((entries) => toListing(listing.reduce(listing.initial, entries)))
        expect(rows[1]?.messageCount).toBe(rows[0]?.messageCount)
        expect(rows[1]?.updatedAt).toBe(rows[0]?.updatedAt)
        expect(rows[1]?.head).toBe(rows[0]?.head)
      }),
    )
  })

  it('[LOG9] waits for nothing that it did not wait for before', () => {
    fc.assert(
      fc.property(arbitraryLog, erasures, (before, picks) => {
        const after = erasedLog(before, picks)
        const waiting = (entries: readonly Entry[]) => {
          const { exclusive, side } = runState.reduce(runState.initial, entries)
          const runs = [...(exclusive ? [exclusive] : []), ...side]
          return new Set([
            ...queue.reduce(queue.initial, entries).inputs.map(({ inputId }) => inputId),
            ...pendingPermissions
              .reduce(pendingPermissions.initial, entries)
              .map(({ requestId }) => `pending ${requestId}`),
            ...runs.flatMap((run) => [...run.openRequestIds, ...run.openCalls.map(({ callId }) => callId)]),
            ...runs.map((run) => run.openStep?.stepId ?? ''),
          ])
        }
        const known = waiting(before)
        expect([...waiting(after)].filter((name) => !known.has(name))).toEqual([])
      }),
    )
  })
})
