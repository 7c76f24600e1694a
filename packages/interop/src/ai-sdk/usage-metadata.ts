import type { Json } from '@holdfast/conversation'
import type { UsedTokens } from '../used-tokens.ts'

/** The metadata of a message: usage in the names of the AI SDK, and what it cost. */
export function toUsageMetadata({ costUsd, measured, ...tokens }: UsedTokens): { readonly [name: string]: Json } {
  return { usage: { ...tokens, totalTokens: tokens.inputTokens + tokens.outputTokens, measured }, costUsd }
}
