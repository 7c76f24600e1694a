import type { RuleAnnotations } from '@holdfast/conversation'
import type { ToolAnnotation } from '../definition.ts'
import type { PermissionRule } from './permission-rule.ts'

/** Which calls a rule is for, in words: all that it asks of a tool, and behind a colon what it asks of the input. [PERM11] */
export function ruleWords({
  tool,
  pattern,
  category,
  annotations,
}: Pick<PermissionRule, 'tool' | 'pattern' | 'category' | 'annotations'>): string {
  const isEvery = tool === '*'
  const kinds = category === undefined ? '' : ` of the category ${[category].flat().join(' or ')}`
  const marks = annotations === undefined ? '' : `${isEvery ? ' that is' : ' where it is'} ${marksOf(annotations)}`
  return `${isEvery ? 'every tool' : tool}${kinds}${marks}${pattern === undefined ? '' : `: ${pattern}`}`
}

const MARKS: readonly { readonly name: ToolAnnotation; readonly word: string }[] = [
  { name: 'readOnly', word: 'read-only' },
  { name: 'destructive', word: 'destructive' },
  { name: 'idempotent', word: 'idempotent' },
  { name: 'openWorld', word: 'open-world' },
]

function marksOf(annotations: RuleAnnotations): string {
  return MARKS.flatMap(({ name, word }) => {
    const wanted = annotations[name]
    return wanted === undefined ? [] : [wanted ? word : `not ${word}`]
  }).join(' and ')
}
