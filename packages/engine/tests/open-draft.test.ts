import { applyDelta, type Draft, emptyDraft, type Json } from '@holdfast/conversation'
import type { ModelPart } from '@holdfast/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOpenDraft } from '../src/live/open-draft.ts'

type BlockPart = Extract<ModelPart, { block: number }>

const start = fc.constantFrom<Extract<BlockPart, { type: 'block-started' }>['start'][]>(
  { type: 'text' },
  { type: 'thinking' },
  { type: 'tool-call', callId: 'call_1', name: 'shell' },
)
const state = fc.constantFrom<Json[]>(null, 'signed', ['a', 1], { signature: 's' })
const block = fc.nat({ max: 3 })

/** Parts in any order, also such as no provider may send. */
const part: fc.Arbitrary<BlockPart> = fc.oneof(
  fc.record({ type: fc.constant('block-started' as const), block, start }),
  fc.record({ type: fc.constant('block-delta' as const), block, text: fc.string({ unit: 'binary', maxLength: 4 }) }),
  fc.record({ type: fc.constant('block-ended' as const), block }),
  fc.record({ type: fc.constant('block-ended' as const), block, providerState: state }),
)

test('[RUN18] the draft that grows in place is the one that a reader makes of its deltas, after each of them', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const open = createOpenDraft('step_1')
      let folded: Draft = emptyDraft('step_1')
      for (const one of parts) {
        folded = applyDelta(folded, open.take(one)).draft
        expect(open.now()).toEqual(folded)
      }
    }),
  )
})

test('[RUN18] what was handed out of a draft stays as it is while the draft grows', () => {
  const open = createOpenDraft('step_1')
  open.take({ type: 'block-started', block: 0, start: { type: 'text' } })
  open.take({ type: 'block-delta', block: 0, text: 'One' })
  const before = open.now()
  open.take({ type: 'block-delta', block: 0, text: ' and two' })
  open.take({ type: 'block-started', block: 1, start: { type: 'text' } })
  expect(before).toEqual({ stepId: 'step_1', blocks: [{ start: { type: 'text' }, text: 'One', complete: false }] })
  expect([before, before.blocks, before.blocks[0]].every(Object.isFrozen)).toBe(true)
})
