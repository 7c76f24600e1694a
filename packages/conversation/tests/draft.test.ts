import { applyDelta, type Draft, type DraftDelta, draftDeltas, emptyDraft, sealDraft } from '@holdfast/conversation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const STEP = 'step_1'

/** A block of a stream: its kind, and the fragments in which its text came. */
const block = fc.record({
  start: fc.constantFrom<NonNullable<DraftDelta['start']>[]>(
    { type: 'text' },
    { type: 'thinking' },
    { type: 'tool-call', callId: 'call_1', name: 'shell' },
  ),
  fragments: fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 1, maxLength: 6 }),
  ends: fc.boolean(),
})

/** The deltas of a stream in their order, as a provider's adapter publishes them. */
const stream: fc.Arbitrary<DraftDelta[]> = fc
  .array(block, { maxLength: 4 })
  .map((blocks) => blocks.flatMap(({ start, fragments, ends }, index) => deltasOf({ start, fragments, ends, index })))

function deltasOf(block: {
  start: NonNullable<DraftDelta['start']>
  fragments: readonly string[]
  ends: boolean
  index: number
}): DraftDelta[] {
  let offset = 0
  return block.fragments.map((text, number) => {
    const isLast = number === block.fragments.length - 1
    const delta: DraftDelta = {
      stepId: STEP,
      block: block.index,
      offset,
      text,
      ...(number === 0 ? { start: block.start } : {}),
      ...(isLast && block.ends ? { end: { providerState: { signature: `of ${block.index}` } } } : {}),
    }
    offset += text.length
    return delta
  })
}

/** Two neighbouring fragments of a block as one, as a flush that ran late would send them. */
function mergedPairs(deltas: readonly DraftDelta[]): DraftDelta[] {
  return deltas.flatMap((delta, index) => {
    const next = deltas[index + 1]
    return next?.block === delta.block
      ? [{ ...delta, ...next, offset: delta.offset, text: delta.text + next.text }]
      : []
  })
}

function fold(deltas: readonly DraftDelta[]): Draft {
  return deltas.reduce((draft, delta) => applyDelta(draft, delta).draft, emptyDraft(STEP))
}

describe('a draft', () => {
  it('[SYNC1] is the same after any mix of repeated, late, overlapping and reordered deltas', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200), { maxLength: 40 }), (deltas, picks) => {
        const all = [...deltas, ...mergedPairs(deltas)]
        const noise = all.length === 0 ? [] : picks.flatMap((pick) => all[pick % all.length] ?? [])
        expect(fold([...noise, ...deltas])).toEqual(fold(deltas))
      }),
    )
  })

  it('[SYNC1] is at every moment what some beginning of each block says', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200), { maxLength: 40 }), (deltas, picks) => {
        const whole = fold(deltas)
        const all = [...deltas, ...mergedPairs(deltas)]
        let draft = emptyDraft(STEP)
        for (const pick of all.length === 0 ? [] : picks) {
          const delta = all[pick % all.length]
          if (delta) draft = applyDelta(draft, delta).draft
          draft.blocks.forEach((known, index) => {
            const end = whole.blocks[index]
            expect(end?.text.startsWith(known.text)).toBe(true)
            expect(known.start).toEqual(end?.start)
            if (known.complete) expect(known).toEqual(end)
          })
        }
      }),
    )
  })

  it('[SYNC1] says what became of each delta', () => {
    const first: DraftDelta = { stepId: STEP, block: 0, offset: 0, text: 'Hel', start: { type: 'text' } }
    const second: DraftDelta = { stepId: STEP, block: 0, offset: 3, text: 'lo', end: {} }
    const { draft } = applyDelta(emptyDraft(STEP), first)
    expect(applyDelta(draft, first)).toEqual({ draft, outcome: 'known' })
    expect(applyDelta(draft, { ...second, offset: 4 })).toEqual({ draft, outcome: 'gap' })
    expect(applyDelta(draft, { ...first, block: 2 })).toEqual({ draft, outcome: 'gap' })
    expect(applyDelta(draft, { ...first, stepId: 'step_2' })).toEqual({ draft, outcome: 'gap' })
    expect(applyDelta(emptyDraft(STEP), second).outcome).toBe('gap')
    expect(applyDelta(emptyDraft(STEP), { ...first, offset: 1 }).outcome).toBe('gap')
    const closed = applyDelta(draft, second)
    expect(closed).toEqual({
      draft: { stepId: STEP, blocks: [{ start: { type: 'text' }, text: 'Hello', complete: true }] },
      outcome: 'applied',
    })
    expect(applyDelta(closed.draft, second)).toEqual({ draft: closed.draft, outcome: 'known' })
    expect(applyDelta(closed.draft, { ...first, text: 'Hello, longer' }).outcome).toBe('known')
  })

  it('[SYNC1] is complete also when only the mark of the end was missing', () => {
    const draft = fold([{ stepId: STEP, block: 0, offset: 0, text: 'Hello', start: { type: 'text' } }])
    const end: DraftDelta = { stepId: STEP, block: 0, offset: 5, text: '', end: { providerState: 'signed' } }
    expect(applyDelta(draft, end).draft.blocks).toEqual([
      { start: { type: 'text' }, text: 'Hello', complete: true, providerState: 'signed' },
    ])
  })

  it('[SYNC1] can be sent whole to a reader who has nothing, or something', () => {
    fc.assert(
      fc.property(stream, fc.nat(30), (deltas, count) => {
        const draft = fold(deltas)
        expect(fold(draftDeltas(draft))).toEqual(draft)
        const behind = fold(deltas.slice(0, count))
        expect(draftDeltas(draft).reduce((known, delta) => applyDelta(known, delta).draft, behind)).toEqual(draft)
      }),
    )
  })

  it('[SYNC1] changes neither the draft nor the delta it is given', () => {
    fc.assert(
      fc.property(stream, (deltas) => {
        let draft = Object.freeze(emptyDraft(STEP))
        for (const delta of deltas) {
          const before = JSON.stringify(draft)
          const next = applyDelta(draft, Object.freeze(delta)).draft
          expect(JSON.stringify(draft)).toBe(before)
          draft = Object.freeze(next)
        }
      }),
    )
  })

  it('[STOP4] is sealed with all that was published, half a tool input marked as such', () => {
    fc.assert(
      fc.property(stream, fc.nat(30), (deltas, count) => {
        const draft = fold(deltas.slice(0, count))
        const sealed = sealDraft(draft)
        expect(sealed).toHaveLength(draft.blocks.length)
        sealed.forEach((closed, index) => {
          const open = draft.blocks[index]
          expect(closed.type).toBe(open?.start.type)
          expect(closed.type === 'tool-call' ? closed.inputText : closed.text).toBe(open?.text)
          if (closed.type === 'tool-call') expect(closed.complete).toBe(open?.complete)
          expect(closed.providerState).toEqual(open?.providerState)
          expect('providerState' in closed).toBe(open?.complete)
        })
      }),
    )
  })
})
