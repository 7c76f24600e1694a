import { ofFields, ruleFields } from '@holdfast/conversation'
import * as z from 'zod'
import { MalformedRuleError } from './malformed-rule-error.ts'
import type { PermissionRule } from './permission-rule.ts'

const Rule = ofFields({
  id: z.string().min(1),
  effect: ruleFields.effect,
  tool: ruleFields.tool,
  pattern: ruleFields.pattern,
  category: ruleFields.category,
  annotations: ruleFields.annotations,
  givenAt: z.number().exactOptional(),
})

/** Rules that were looked at: nobody changes them, and decisions about calls name the same ones again and again. */
const checked = new WeakSet<PermissionRule>()

/**
 * Looks at rules that no compiler may have seen. A field that does not exist would be passed over where rules are matched,
 * and the rule would hold for more than it says. [PERM10]
 *
 * @throws {MalformedRuleError}
 */
export function checkRules(rules: readonly PermissionRule[]): void {
  for (const rule of rules) {
    if (checked.has(rule)) continue
    const read = Rule.safeParse(rule)
    if (!read.success) throw new MalformedRuleError(String(rule.id), formProblems(read.error))
    checked.add(rule)
  }
}

/** What is wrong with the form of a rule, in words. */
export function formProblems({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [...path.map(String), message].join(' ')).join('; ')
}
