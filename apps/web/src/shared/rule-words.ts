import type { RuleAnnotations, ToolCategory, WrittenPermissionRule } from '@holdfast/conversation'
import { type PlainKey, say } from './language/say.ts'

/** What a rule says becomes of a call. */
export const EFFECT_WORDS: Readonly<Record<WrittenPermissionRule['effect'], PlainKey>> = {
  allow: 'rules.allow',
  ask: 'rules.ask',
  deny: 'rules.deny',
}

/** What tools of a category do. */
export const KIND_WORDS: Readonly<Record<ToolCategory, PlainKey>> = {
  read: 'rules.kind-read',
  edit: 'rules.kind-edit',
  execute: 'rules.kind-commands',
  network: 'rules.kind-network',
  other: 'rules.kind-other',
}

/** Names an annotation of tools that a rule may ask for. */
export type Mark = keyof RuleAnnotations

/** What is so of a tool with an annotation, and without it. */
export const MARK_WORDS: Readonly<Record<Mark, Readonly<Record<'yes' | 'no', PlainKey>>>> = {
  readOnly: { yes: 'rules.changes-nothing-itself', no: 'rules.may-change' },
  destructive: { yes: 'rules.may-destroy', no: 'rules.destroys-nothing' },
  idempotent: { yes: 'rules.can-be-repeated', no: 'rules.not-to-be-repeated' },
  openWorld: { yes: 'rules.reaches-out', no: 'rules.stays-here' },
}

/** All of them, in the order in which they are told. */
export const MARKS: readonly Mark[] = ['readOnly', 'destructive', 'idempotent', 'openWorld']

/** The tool that a rule names, or the word for every one. */
export function toolWords({ tool }: Pick<WrittenPermissionRule, 'tool'>): string {
  return tool === '*' ? say('rules.every-tool') : tool
}

/** What a rule asks of a tool beside its name, one thing after the other; empty for nothing. */
export function askedOfTool({
  category,
  annotations,
}: Pick<WrittenPermissionRule, 'category' | 'annotations'>): readonly string[] {
  const kinds = category === undefined ? [] : [category].flat().map((one) => say(KIND_WORDS[one]))
  const marks = MARKS.flatMap((mark) => {
    const wanted = annotations?.[mark]
    return wanted === undefined ? [] : [say(MARK_WORDS[mark][wanted ? 'yes' : 'no'])]
  })
  return [...(kinds.length === 0 ? [] : [say('rules.of-kind', { kinds: kinds.join(', ') })]), ...marks]
}

/** A rule as a name for what is done with it. */
export function ruleName(rule: WrittenPermissionRule): string {
  const { effect, pattern } = rule
  const asked = askedOfTool(rule)
  const tool = asked.length === 0 ? toolWords(rule) : `${toolWords(rule)} (${asked.join(', ')})`
  return [say(EFFECT_WORDS[effect]), tool, pattern ?? say('rules.with-any-input')].join(' ')
}
