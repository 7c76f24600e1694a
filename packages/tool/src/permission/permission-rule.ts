import type { RuleAnnotations, RuleCategory, ToolCategory } from '@holdfast/conversation'

/** What a rule says, or what a decision comes to. */
export type PermissionEffect = 'allow' | 'ask' | 'deny'

/** How much may happen without a question. [PERM1] */
export type PermissionMode = 'plan' | 'ask' | 'accept-edits' | 'sandboxed' | 'bypass'

/**
 * A rule for calls. Everything that it names must match; what it does not name matches everything.
 *
 * `pattern` is read by the role of the argument: words of a command (`git log *`), a path under the
 * workspace (`src/**`), an address (`https://example.com/*`), or a text with `*`. A pattern that begins with
 * `=` matches one call exactly: behind it stands the call's input as canonical JSON. [PERM2]
 */
export interface PermissionRule {
  readonly id: string
  readonly effect: PermissionEffect
  /** The exact name of a tool, or `*`. */
  readonly tool: string
  readonly pattern?: string
  /** One, or several. */
  readonly category?: RuleCategory
  /** When a person gave it, in milliseconds since the Unix epoch; absent for those that were there before. [PERM7] */
  readonly givenAt?: number
  readonly annotations?: RuleAnnotations
}

/** A rule as a person writes it. */
export type WrittenRule = Pick<PermissionRule, 'effect' | 'tool' | 'pattern' | 'category' | 'annotations'>

/** A rule in the one form in which it is kept and compared: its categories are a list, each once, in their order. */
export type KeptRule = Omit<WrittenRule, 'category'> & { readonly category?: ToolCategory[] }
