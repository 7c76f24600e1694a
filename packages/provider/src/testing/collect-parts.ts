import type { AnswerBlock, Json } from '@holdfast/conversation'
import type { ModelFinish, ModelPart, RequestUsage } from '../model-port.ts'

/** What the parts of an answer come to. */
export interface CollectedAnswer {
  readonly blocks: readonly AnswerBlock[]
  readonly finish: ModelFinish | null
  readonly usage: RequestUsage | null
}

/**
 * Folds parts into blocks, and checks the order that the port promises.
 *
 * @throws when blocks are not numbered from 0 in the order of their start, when a delta or an end belongs to no open
 * block, or when anything follows `finish`.
 */
export function collectParts(parts: readonly ModelPart[]): CollectedAnswer {
  const blocks: { block: AnswerBlock; open: boolean; text: string }[] = []
  let finish: ModelFinish | null = null
  let usage: RequestUsage | null = null
  for (const part of parts) {
    if (finish !== null) throw new Error(`A part of type ${part.type} follows the finish`)
    switch (part.type) {
      case 'usage':
        usage = part.usage
        break
      case 'finish':
        finish = part.finish
        break
      case 'block-started':
        if (part.block !== blocks.length) throw new Error(`Block ${part.block} starts where ${blocks.length} is next`)
        blocks.push({ block: emptyBlock(part), open: true, text: '' })
        break
      case 'block-delta':
      case 'block-ended': {
        const target = blocks[part.block]
        if (!target?.open) throw new Error(`A ${part.type} belongs to block ${part.block}, which is not open`)
        if (part.type === 'block-delta') target.text += part.text
        else {
          target.open = false
          target.block = ended(target.block, part.providerState)
        }
      }
    }
  }
  return { blocks: blocks.map(({ block, text }) => withText(block, text)), finish, usage }
}

function emptyBlock({ start }: Extract<ModelPart, { type: 'block-started' }>): AnswerBlock {
  if (start.type !== 'tool-call') return { type: start.type, text: '' }
  return { type: 'tool-call', callId: start.callId, name: start.name, inputText: '', complete: false }
}

function ended(block: AnswerBlock, providerState: Json | undefined): AnswerBlock {
  const state = providerState === undefined ? {} : { providerState }
  return block.type === 'tool-call' ? { ...block, complete: true, ...state } : { ...block, ...state }
}

function withText(block: AnswerBlock, text: string): AnswerBlock {
  return block.type === 'tool-call' ? { ...block, inputText: text } : { ...block, text }
}
