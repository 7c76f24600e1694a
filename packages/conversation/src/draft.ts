import * as z from 'zod'
import type { AnswerBlock } from './content.ts'
import { Json } from './json.ts'

/** What a block is, said once, with its first delta. */
export const BlockStart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('thinking') }),
  z.object({ type: z.literal('tool-call'), callId: z.string().min(1), name: z.string() }),
])
export type BlockStart = z.infer<typeof BlockStart>

/** A fragment of the open step, addressed so that applying it twice changes nothing. [SYNC1] */
export const DraftDelta = z.object({
  stepId: z.string().min(1),
  /** Index of the block in the step, from 0. */
  block: z.int().nonnegative(),
  /** Length of the block's text before this fragment, in UTF-16 code units. */
  offset: z.int().nonnegative(),
  text: z.string(),
  /** Present on the first delta of a block. */
  start: BlockStart.exactOptional(),
  /** Present on the delta that closes the block: it is complete. */
  end: z.object({ providerState: Json.exactOptional() }).exactOptional(),
})
export type DraftDelta = z.infer<typeof DraftDelta>

/** One block of the open step so far. */
export const DraftBlock = z.object({
  start: BlockStart,
  text: z.string(),
  complete: z.boolean(),
  providerState: Json.exactOptional(),
})
export type DraftBlock = z.infer<typeof DraftBlock>

/** The open step so far. */
export const Draft = z.object({ stepId: z.string().min(1), blocks: z.array(DraftBlock) })
export type Draft = Readonly<{ stepId: string; blocks: readonly Readonly<DraftBlock>[] }>

/** A step of which nothing has streamed. */
export function emptyDraft(stepId: string): Draft {
  return { stepId, blocks: [] }
}

/** What became of a delta: `known` changes nothing; after `gap` the reader asks for the draft again. */
export type DeltaOutcome = 'applied' | 'known' | 'gap'

/**
 * Applies a delta. One that is known already changes nothing, one that overlaps adds what is new, and
 * one that would leave a hole is not applied.
 */
export function applyDelta(draft: Draft, delta: DraftDelta): { readonly draft: Draft; readonly outcome: DeltaOutcome } {
  if (delta.stepId !== draft.stepId) return { draft, outcome: 'gap' }
  const known = draft.blocks[delta.block]
  if (!known) {
    if (delta.block > draft.blocks.length || delta.offset > 0 || !delta.start) return { draft, outcome: 'gap' }
    return { draft: withBlock(draft, delta.block, opened(delta.start, delta)), outcome: 'applied' }
  }
  if (delta.offset > known.text.length) return { draft, outcome: 'gap' }
  const added = delta.text.slice(known.text.length - delta.offset)
  const closes = delta.end !== undefined && !known.complete
  if (known.complete || (added === '' && !closes)) return { draft, outcome: 'known' }
  return { draft: withBlock(draft, delta.block, continued(known, added, delta)), outcome: 'applied' }
}

/** The deltas that make a draft from nothing; what a reader who has none is sent. */
export function draftDeltas(draft: Draft): readonly DraftDelta[] {
  return draft.blocks.map((block, index) => ({
    stepId: draft.stepId,
    block: index,
    offset: 0,
    text: block.text,
    start: block.start,
    ...(block.complete ? { end: stateOf(block) } : {}),
  }))
}

/**
 * The blocks of the entry that closes the step. Nothing published is dropped; a block that the end
 * cut loses no text, and half a tool input is marked as not complete. [STOP4]
 */
export function sealDraft(draft: Draft): AnswerBlock[] {
  return draft.blocks.map((block) => {
    switch (block.start.type) {
      case 'text':
        return { type: 'text', text: block.text, ...stateOf(block) }
      case 'thinking':
        return { type: 'thinking', text: block.text, ...stateOf(block) }
      case 'tool-call':
        return {
          type: 'tool-call',
          callId: block.start.callId,
          name: block.start.name,
          inputText: block.text,
          complete: block.complete,
          ...stateOf(block),
        }
    }
  })
}

function opened(start: BlockStart, delta: DraftDelta): DraftBlock {
  return { start, text: delta.text, complete: delta.end !== undefined, ...delta.end }
}

function continued(block: DraftBlock, added: string, delta: DraftDelta): DraftBlock {
  return { ...block, text: block.text + added, complete: delta.end !== undefined, ...delta.end }
}

function withBlock(draft: Draft, index: number, block: DraftBlock): Draft {
  const blocks = draft.blocks.slice()
  blocks[index] = block
  return { stepId: draft.stepId, blocks }
}

function stateOf(block: { readonly providerState?: Json }): { providerState?: Json } {
  return block.providerState === undefined ? {} : { providerState: block.providerState }
}
