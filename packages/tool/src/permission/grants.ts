import type { ToolDefinition } from '../definition.ts'
import { exactPattern } from './exact-pattern.ts'
import type { KeptRule } from './permission-rule.ts'
import type { CallSubject } from './repeated-calls.ts'

/** How far a person's yes reaches. [PERM5] */
export type GrantReach = 'call' | 'conversation' | 'pattern' | 'category' | 'always'

/** What a yes comes to: plain data that is kept, listed and revoked by its id. */
export interface Grant {
  readonly scope: GrantReach
  /** The rule that it adds; null for one call, which is answered and leaves nothing. */
  readonly rule: (KeptRule & { readonly id: string }) | null
}

/** A yes to a call. */
export interface GrantRequest {
  readonly call: CallSubject
  readonly definition: ToolDefinition | undefined
  readonly scope: GrantReach
  /** For `pattern` and `always`: what the person agreed to; without it, exactly this call. */
  readonly pattern?: string
  readonly ruleId: string
}

/**
 * The grant for a yes, or null where that scope is not offered: a category for a tool that is destructive,
 * or does not say that it is not, and exactly this call where its input is too long to be shown. [PERM5]
 */
export function grantFor({ call, definition, scope, pattern, ruleId }: GrantRequest): Grant | null {
  const rule = { id: ruleId, effect: 'allow' } as const
  switch (scope) {
    case 'call':
      return { scope, rule: null }
    case 'conversation':
      return { scope, rule: { ...rule, tool: call.name } }
    case 'pattern':
    case 'always':
      if (pattern === undefined && exactPattern(call).length > EXACT_LIMIT_CHARS) return null
      return { scope, rule: { ...rule, tool: call.name, pattern: pattern ?? exactPattern(call) } }
    case 'category': {
      const { category, annotations, claims } = definition ?? {}
      const isHarmless = annotations?.destructive === false || annotations?.readOnly === true
      if (category === undefined || !isHarmless || claims?.annotations?.destructive === true) return null
      return { scope, rule: { ...rule, tool: '*', category: [category], annotations: { destructive: false } } }
    }
  }
}

/** A rule for exactly one call is shown and kept whole: beyond this length there is none. */
export const EXACT_LIMIT_CHARS = 4_096
