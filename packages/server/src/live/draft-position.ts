import type { Draft, DraftDelta } from '@holdfast/conversation'

/** How far a reader has been sent the open step, without its text. */
export interface DraftPosition {
  /** `next`: send it. `known`: the reader has it. `gap`: the reader lacks what stands before it. */
  take(delta: DraftDelta): 'next' | 'known' | 'gap'
  /** Whether the reader has all of this draft. */
  covers(draft: Draft): boolean
  /** The reader has been sent this draft as a whole. */
  moveTo(draft: Draft): void
}

/** The position of a reader who has nothing. */
export function createDraftPosition(): DraftPosition {
  let stepId: string | null = null
  let blocks: { length: number; complete: boolean }[] = []

  function take(delta: DraftDelta): 'next' | 'known' | 'gap' {
    if (delta.stepId !== stepId) {
      if (delta.block > 0 || delta.offset > 0 || !delta.start) return 'gap'
      stepId = delta.stepId
      blocks = []
    }
    const block = blocks[delta.block]
    if (!block) {
      if (delta.block > blocks.length || delta.offset > 0 || !delta.start) return 'gap'
      blocks.push({ length: delta.text.length, complete: delta.end !== undefined })
      return 'next'
    }
    if (delta.offset > block.length) return 'gap'
    const length = delta.offset + delta.text.length
    const closes = delta.end !== undefined && !block.complete
    if (block.complete || (length <= block.length && !closes)) return 'known'
    block.length = Math.max(block.length, length)
    block.complete = delta.end !== undefined
    return 'next'
  }

  return {
    take,
    covers(draft) {
      return (
        draft.stepId === stepId &&
        draft.blocks.length === blocks.length &&
        draft.blocks.every(({ text, complete }, index) => {
          const block = blocks[index]
          return block?.length === text.length && block.complete === complete
        })
      )
    },
    moveTo(draft) {
      stepId = draft.stepId
      blocks = draft.blocks.map(({ text, complete }) => ({ length: text.length, complete }))
    },
  }
}
