import { WrittenPermissionRule } from '@holdfast/conversation'
import { canonicalJson } from '../../canonical-json.ts'
import type { ToolDefinition } from '../../definition.ts'
import { readToolInput } from '../../tool-input.ts'
import { formProblems } from '../check-rules.ts'
import type { KeptRule, WrittenRule } from '../permission-rule.ts'
import { parseShellPattern } from '../shell-pattern.ts'
import { rolesOf } from '../subjects.ts'

/** A rule that can hold, or why it cannot and what to write instead. */
export type ReadRule =
  | { readonly type: 'read'; readonly rule: KeptRule }
  | { readonly type: 'refused'; readonly reason: string }

/**
 * Reads what a person wrote: a rule that could never meet a call, or would allow every tool, is refused. A pattern for
 * exactly one call is brought into the form in which calls are compared. [PERM2]
 *
 * @param definition - of the tool that the rule names; undefined where there is none now.
 */
export function readRule(written: WrittenRule, definition: ToolDefinition | undefined): ReadRule {
  const form = WrittenPermissionRule.safeParse(written)
  if (!form.success) return refused(`A rule that is to hold: ${formProblems(form.error)}.`)
  const { effect, tool, pattern } = written
  if (effect === 'allow' && tool === '*' && !isLikeGrant(written)) {
    return refused(
      'A rule that allows names its tool, such as shell, or is for a category and what does not destroy: category: read, destructive: false. To allow more is for the operator.',
    )
  }
  const kept = keptRule(written)
  if (pattern === undefined) return { type: 'read', rule: kept }
  if (pattern.startsWith('=')) {
    const read = readToolInput({ inputText: pattern.slice(1), complete: true })
    if (read.type === 'read' && pattern.slice(1).trim() !== '')
      return { type: 'read', rule: { ...kept, pattern: `=${canonicalJson(read.input)}` } }
    return refused('Behind = stands the whole input of a call as JSON, such as ={"path":"src/a.ts"}.')
  }
  const takesCommands = definition !== undefined && rolesOf(definition).includes('shell-line')
  if (takesCommands && parseShellPattern(pattern) === null)
    return refused(
      `The quotes in ${pattern} do not close. Close them, or write a backslash before a quote that is meant.`,
    )
  return { type: 'read', rule: kept }
}

/** Whether it allows no more tools than a yes for a whole category does. [PERM5, PERM11] */
function isLikeGrant({ category, annotations }: WrittenRule): boolean {
  return category !== undefined && annotations?.destructive === false
}

function keptRule({ category, ...rule }: WrittenRule): KeptRule {
  return category === undefined ? rule : { ...rule, category: [...new Set([category].flat())].toSorted() }
}

function refused(reason: string): ReadRule {
  return { type: 'refused', reason }
}
