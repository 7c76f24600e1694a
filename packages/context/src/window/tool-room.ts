import { definitionTokens, textTokens } from '../size/weight.ts'
import type { ContextLimits } from './limits.ts'

/** Definitions of tools take at most this share of what a window holds beside the answer and the system text. [WIN17] */
const TOOLS_SHARE = 0.45

/** The room that a window has for definitions of tools. */
export interface ToolRoom {
  readonly windowTokens: number
  readonly tokens: number
  /** Weight of a token before anything is measured: by what is learnt of it the list would change from turn to turn. */
  readonly ratio: number
}

/** How much of a window definitions of tools may take. [WIN17] */
export function toolRoom(
  { windowTokens, reservedOutputTokens }: Pick<ContextLimits, 'windowTokens' | 'reservedOutputTokens'>,
  { system, ratio }: { readonly system: string; readonly ratio: number },
): ToolRoom {
  const free = windowTokens - reservedOutputTokens - textTokens(system, ratio)
  return { windowTokens, tokens: Math.max(0, Math.floor(free * TOOLS_SHARE)), ratio }
}

/** How many definitions there is room for, from the first one on. [WIN17] */
export function fittingToolCount(
  definitions: readonly Parameters<typeof definitionTokens>[0][],
  { tokens, ratio }: ToolRoom,
): number {
  let taken = 0
  const first = definitions.findIndex((definition) => {
    taken += definitionTokens(definition, ratio)
    return taken > tokens
  })
  return first < 0 ? definitions.length : first
}
