import type { EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** A rule that holds in this conversation only. */
export type ConversationRule = NonNullable<EntryOf<'permission-rule-changed'>['rule']> & {
  readonly ruleId: string
  /** When it was given, in milliseconds since the Unix epoch. */
  readonly givenAt: number
}

/** The permission rules of the conversation that were not revoked, oldest first. [PERM5] */
export const permissionRules: Projection<readonly ConversationRule[]> = {
  name: 'permission-rules',
  version: 3,
  initial: [],
  reduce(state, entries) {
    const rules = new Map(state.map((rule) => [rule.ruleId, rule]))
    let changed = false
    for (const entry of entries) {
      if (entry.type !== 'permission-rule-changed') continue
      rules.delete(entry.ruleId)
      if (entry.rule) rules.set(entry.ruleId, { ...entry.rule, ruleId: entry.ruleId, givenAt: entry.at })
      changed = true
    }
    return changed ? [...rules.values()] : state
  },
}
