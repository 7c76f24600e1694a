import type { InputPart } from '@holdfast/conversation'
import type { ComposedMessage, PartCategory } from '../request/compose-messages.ts'
import { modelFamily } from '../size/model-family.ts'
import { messageSize, NO_SIZE, type Size, toTokens } from '../size/weight.ts'

/** What turns sizes into the tokens that decisions count with. */
export interface Estimating {
  readonly modelId: string
  /** `ratioOf` the model. */
  readonly ratio: number
  /** What estimates are multiplied with: 1 after a measurement. [COST5] */
  readonly margin: number
}

/** Tokens of a message, without what stands in it for entries before the start. */
export function messageTokens(message: ComposedMessage, estimating: Estimating): number {
  return tokensOf(
    sizeWhere(message, estimating.modelId, (category) => category !== 'summary'),
    estimating,
  )
}

/** Tokens of what stands in a message for entries before the start. */
export function openingTokens(message: ComposedMessage, estimating: Estimating): number {
  return tokensOf(
    sizeWhere(message, estimating.modelId, (category) => category === 'summary'),
    estimating,
  )
}

/** Tokens of a size, with the margin of decisions. */
export function tokensOf(size: Size, { ratio, margin }: Estimating): number {
  return Math.ceil(toTokens(size, ratio) * margin)
}

function sizeWhere(
  { message, origins }: ComposedMessage,
  modelId: string,
  counts: (category: PartCategory) => boolean,
): Size {
  if (message.role !== 'user') return counts('messages') ? messageSize(message, modelFamily(modelId)) : NO_SIZE
  const parts: InputPart[] = message.parts.filter((_, index) => counts(origins[index]?.category ?? 'messages'))
  return parts.length === 0 ? NO_SIZE : messageSize({ role: 'user', parts }, modelFamily(modelId))
}
