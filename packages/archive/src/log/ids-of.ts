import { createHash } from 'node:crypto'

/** What a conversation is made from: the same source of the same owner is the same conversation. */
export interface SourceName {
  readonly ownerId: string
  readonly format: string
  /** What the source calls the conversation. */
  readonly sourceId: string
}

/** Names for an imported conversation and what is in it: the same source gives the same names. */
export interface SourceIds {
  readonly conversationId: string
  next(prefix: 'input' | 'run' | 'step' | 'call' | 'upload'): string
}

/** Makes the names of one imported conversation. */
export function idsOf({ ownerId, format, sourceId }: SourceName): SourceIds {
  const key = createHash('sha256')
    .update(JSON.stringify([ownerId, format, sourceId]))
    .digest('hex')
    .slice(0, 24)
  let count = 0
  return {
    conversationId: `conversation_${key}`,
    next: (prefix) => `${prefix}_${key}_${++count}`,
  }
}
