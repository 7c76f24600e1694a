import type { BlockStart, Draft, DraftBlock, DraftDelta, Json } from '@holdfast/conversation'
import type { ModelPart } from '@holdfast/provider'

/** The draft of a step that is open here: one object that grows in place. */
export interface OpenDraft {
  /** Takes the next part, and says it as a delta. What fits nowhere changes nothing, as with a reader who gets the delta. */
  take(part: Extract<ModelPart, { block: number }>): DraftDelta
  /** As far as it has come, in a copy that stays as it is. */
  now(): Draft
}

interface OpenBlock {
  readonly start: BlockStart
  text: string
  complete: boolean
  providerState: Json | undefined
}

/** Makes the draft of a step of which nothing has streamed. */
export function createOpenDraft(stepId: string): OpenDraft {
  const blocks: OpenBlock[] = []
  return {
    take(part) {
      const { block } = part
      const known = blocks[block]
      const offset = known?.text.length ?? 0
      switch (part.type) {
        case 'block-started': {
          const { start } = part
          if (block === blocks.length) blocks.push({ start, text: '', complete: false, providerState: undefined })
          return { stepId, block, offset, text: '', start }
        }
        case 'block-delta':
          if (known?.complete === false) known.text += part.text
          return { stepId, block, offset, text: part.text }
        case 'block-ended': {
          const { providerState } = part
          if (known?.complete === false) {
            known.complete = true
            known.providerState = providerState
          }
          return { stepId, block, offset, text: '', end: providerState === undefined ? {} : { providerState } }
        }
      }
    },
    now: () => Object.freeze({ stepId, blocks: Object.freeze(blocks.map(copied)) }),
  }
}

function copied({ start, text, complete, providerState }: OpenBlock): Readonly<DraftBlock> {
  return Object.freeze({ start, text, complete, ...(providerState === undefined ? {} : { providerState }) })
}
