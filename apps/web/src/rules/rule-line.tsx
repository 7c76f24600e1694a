import type { WrittenPermissionRule } from '@holdfast/conversation'
import { say } from '../shared/language/say.ts'
import { askedOfTool, EFFECT_WORDS, toolWords } from '../shared/rule-words.ts'

/** A rule in one line: what becomes of which calls. */
export function RuleLine({ rule }: { readonly rule: WrittenPermissionRule }) {
  return (
    <span className="rule-line">
      <strong>{say(EFFECT_WORDS[rule.effect])}</strong> <RuleTool rule={rule} />{' '}
      {rule.pattern === undefined ? say('rules.with-any-input') : <code dir="ltr">{rule.pattern}</code>}
    </span>
  )
}

/** The tools that a rule is for: a name or every one, and behind it what is asked of them. */
export function RuleTool({
  rule,
}: {
  readonly rule: Pick<WrittenPermissionRule, 'tool' | 'category' | 'annotations'>
}) {
  const asked = askedOfTool(rule)
  return (
    <>
      {rule.tool === '*' ? toolWords(rule) : <code>{rule.tool}</code>}
      {asked.length > 0 && <span className="rule-asked"> ({asked.join(', ')})</span>}
    </>
  )
}
