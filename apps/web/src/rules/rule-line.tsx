import type { WrittenPermissionRule } from '@holdfast/protocol'
import { type PlainKey, say } from '../shared/language/say.ts'

const EFFECTS: Readonly<Record<WrittenPermissionRule['effect'], PlainKey>> = {
  allow: 'rules.allow',
  ask: 'rules.ask',
  deny: 'rules.deny',
}

/** A rule in one line: what becomes of which calls. */
export function RuleLine({ rule }: { readonly rule: WrittenPermissionRule }) {
  const { effect, tool, pattern } = rule
  return (
    <span className="rule-line">
      <strong>{say(EFFECTS[effect])}</strong> <code>{tool}</code>{' '}
      {pattern === undefined ? say('rules.with-any-input') : <code dir="ltr">{pattern}</code>}
    </span>
  )
}

/** A rule as a name for what is done with it. */
export function ruleName({ effect, tool, pattern }: WrittenPermissionRule): string {
  return [say(EFFECTS[effect]), tool, pattern ?? say('rules.with-any-input')].join(' ')
}
