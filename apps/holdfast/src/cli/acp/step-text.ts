import type { AnswerBlock, BlockStart, DraftDelta } from '@holdfast/conversation'

/** Takes the words of an answer as they come, each once. */
export type TellWords = (kind: 'text' | 'thinking', text: string, stepId: string) => void

/** The blocks of the steps that are being told, and how far each has been. */
export interface StepText {
  seeDraft(draft: {
    readonly stepId: string
    readonly blocks: readonly { readonly start: BlockStart; readonly text: string }[]
  }): void
  seeDelta(delta: Pick<DraftDelta, 'stepId' | 'block' | 'offset' | 'text' | 'start'>): void
  /** Tells what is left of a step that is closed, and forgets it. */
  finish(stepId: string, blocks: readonly AnswerBlock[]): void
}

interface Told {
  readonly kind: BlockStart['type']
  length: number
}

/** Deltas, drafts and the closed step say the same: what was told once is not told again. */
export function createStepText(tell: TellWords): StepText {
  const steps = new Map<string, Told[]>()

  function upTo(
    stepId: string,
    at: number,
    whole: { readonly kind: BlockStart['type']; readonly text: string; readonly offset: number },
  ): void {
    const blocks = steps.get(stepId) ?? []
    steps.set(stepId, blocks)
    const { kind, text, offset } = whole
    const told = blocks[at] ?? { kind, length: 0 }
    blocks[at] = told
    // What is missing in between comes with the draft or the closed step.
    if (offset > told.length) return
    const added = text.slice(told.length - offset)
    if (added === '') return
    told.length += added.length
    if (kind !== 'tool-call') tell(kind, added, stepId)
  }

  return {
    seeDraft({ stepId, blocks }) {
      for (const [at, { start, text }] of blocks.entries()) upTo(stepId, at, { kind: start.type, text, offset: 0 })
    },
    seeDelta({ stepId, block, offset, text, start }) {
      const kind = start?.type ?? steps.get(stepId)?.[block]?.kind
      if (kind !== undefined) upTo(stepId, block, { kind, text, offset })
    },
    finish(stepId, blocks) {
      for (const [at, block] of blocks.entries()) {
        const text = block.type === 'tool-call' ? block.inputText : block.text
        upTo(stepId, at, { kind: block.type, text, offset: 0 })
      }
      steps.delete(stepId)
    },
  }
}
