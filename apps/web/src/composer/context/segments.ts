import type { ContextAnswer } from '@holdfast/client'
import { say } from '../../shared/language/say.ts'

/** A part of the window, in the fixed order of the ruler. */
export interface Segment {
  readonly name:
    | 'system'
    | 'tools'
    | 'canvas'
    | 'map'
    | 'instructions'
    | 'summary'
    | 'messages'
    | 'tool-results'
    | 'files'
  readonly words: string
  readonly tokens: number
}

/** What fills the window, in the order in which it is drawn. Whatever the server names beyond these counts as messages. */
export function segmentsOf({ breakdown }: ContextAnswer): readonly Segment[] {
  const { system, tools, categories } = breakdown
  const named = new Map(Object.entries(categories))
  const take = (...names: readonly string[]) =>
    names.reduce((sum, name) => {
      const tokens = named.get(name) ?? 0
      named.delete(name)
      return sum + tokens
    }, 0)
  const toolTokens = Object.values(tools).reduce((sum, tokens) => sum + tokens, 0)
  const told = take('notes', 'time', 'canvas', 'memories', 'workspace', 'schedules')
  const map = take('map')
  const instructions = take('instructions')
  const summary = take('summary')
  const results = take('tool-results')
  const files = take('files')
  const rest = [...named.values()].reduce((sum, tokens) => sum + tokens, 0)
  return [
    { name: 'system', words: say('context.system'), tokens: system },
    { name: 'tools', words: say('common.tools'), tokens: toolTokens },
    { name: 'canvas', words: say('context.canvas-and-memory'), tokens: told },
    ...(map > 0 ? [{ name: 'map', words: say('context.map'), tokens: map } as const] : []),
    ...(instructions > 0
      ? [{ name: 'instructions', words: say('context.instructions'), tokens: instructions } as const]
      : []),
    { name: 'summary', words: say('context.summary'), tokens: summary },
    { name: 'messages', words: say('context.messages'), tokens: rest },
    { name: 'tool-results', words: say('context.tool-results'), tokens: results },
    { name: 'files', words: say('context.files-and-images'), tokens: files },
  ]
}

/** Tokens that are neither used nor kept for the reply; null where the window is not known. */
export function freeTokens({ usedTokens, reservedTokens, windowTokens }: ContextAnswer): number | null {
  return windowTokens === null ? null : Math.max(0, windowTokens - usedTokens - reservedTokens)
}
