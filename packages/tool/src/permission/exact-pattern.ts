import { canonicalJson } from '../canonical-json.ts'
import type { PermissionRule } from './permission-rule.ts'
import type { CallSubject } from './repeated-calls.ts'

/** The pattern that matches exactly this call. [PERM7] */
export function exactPattern({ input }: CallSubject): string {
  return `=${canonicalJson(input)}`
}

/** Whether a rule is for exactly this call; the input, which may be long, is written out only for a pattern of that kind. [PERM7] */
export function isExactly({ pattern }: Pick<PermissionRule, 'pattern'>, call: CallSubject): boolean {
  return pattern?.startsWith('=') === true && pattern === exactPattern(call)
}
