import { canonicalJson } from '../../canonical-json.ts'
import type { ToolDefinition } from '../../definition.ts'
import { readToolInput } from '../../tool-input.ts'
import type { PermissionRule } from '../permission-rule.ts'
import { parseShellPattern } from '../shell-pattern.ts'
import { rolesOf } from '../subjects.ts'

/** A rule as a person writes it. */
export type WrittenRule = Pick<PermissionRule, 'effect' | 'tool' | 'pattern'>

/** A rule that can hold, or why it cannot and what to write instead. */
export type ReadRule =
  | { readonly type: 'read'; readonly rule: WrittenRule }
  | { readonly type: 'refused'; readonly reason: string }

/**
 * Reads what a person wrote: a rule that could never meet a call, or would allow every tool, is refused. A pattern for
 * exactly one call is brought into the form in which calls are compared. [PERM2]
 *
 * @param definition - of the tool that the rule names; undefined where there is none now.
 */
export function readRule(written: WrittenRule, definition: ToolDefinition | undefined): ReadRule {
  const { effect, tool, pattern } = written
  if (effect === 'allow' && tool === '*') {
    return refused(
      'A rule that allows names its tool: to allow everything is for the operator. Name one, such as shell.',
    )
  }
  if (pattern === undefined) return { type: 'read', rule: written }
  if (pattern.startsWith('=')) {
    const read = readToolInput({ inputText: pattern.slice(1), complete: true })
    if (read.type === 'read' && pattern.slice(1).trim() !== '')
      return { type: 'read', rule: { ...written, pattern: `=${canonicalJson(read.input)}` } }
    return refused('Behind = stands the whole input of a call as JSON, such as ={"path":"src/a.ts"}.')
  }
  const takesCommands = definition !== undefined && rolesOf(definition).includes('shell-line')
  if (takesCommands && parseShellPattern(pattern) === null)
    return refused(
      `The quotes in ${pattern} do not close. Close them, or write a backslash before a quote that is meant.`,
    )
  return { type: 'read', rule: written }
}

function refused(reason: string): ReadRule {
  return { type: 'refused', reason }
}
