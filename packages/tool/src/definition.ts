import type { Json, ToolCategory } from '@holdfast/conversation'

/** What is said about a tool. What is not said counts as the worst wherever it could loosen a rule. [PERM1] */
export interface ToolAnnotations {
  /** Changes nothing. */
  readonly readOnly?: boolean
  /** May destroy something that cannot be brought back. */
  readonly destructive?: boolean
  /** The same call twice does no more than once. */
  readonly idempotent?: boolean
  /** Reaches beyond this machine. */
  readonly openWorld?: boolean
}

/** The name of one annotation. */
export type ToolAnnotation = keyof ToolAnnotations

/**
 * How permission rules read an argument. `plain` is not read: contents, notes, numbers.
 * Where a definition declares none, the usual names say it: `command`, `path`, `url` and a few more.
 */
export type ArgumentRole = 'shell-line' | 'path' | 'url' | 'text' | 'plain'

/** What the model and the permissions know of a tool. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input. */
  readonly parameters: Json
  /** For people: where it comes from, such as the name of a server. */
  readonly source?: string
  /** Milliseconds; stands before the registry's default, in both directions. [TOOL3] */
  readonly timeoutMs?: number
  /** Milliseconds without a word of progress after which a call has failed; stands before the caller's limit. */
  readonly silenceMs?: number
  /** In mode `auto` the model is shown it only after it has searched for it. [TOOL10] */
  readonly deferred?: true
  readonly category?: ToolCategory
  readonly annotations?: ToolAnnotations
  /** Its calls run in the sandbox of this machine. Whoever makes the tool says so, and no server of tools can. [PERM1] */
  readonly sandboxed?: true
  readonly argumentRoles?: Readonly<Record<string, ArgumentRole>>
  /**
   * What the server of the tool says about it. Nobody has checked it: it may make a decision stricter,
   * never looser. [PERM1]
   */
  readonly claims?: { readonly category?: ToolCategory; readonly annotations?: ToolAnnotations }
  /**
   * The client that offers it runs its calls and sends what came of them; here they are only written down. It decides
   * itself what it asks its person. [TOOL18]
   */
  readonly runsAt?: 'client'
  /** Characters of output that go to the model; the rest is kept as a blob. */
  readonly outputLimitChars?: number
}

/** A wish to run a tool, with its input parsed. */
export interface ToolCall {
  readonly callId: string
  /** The step that made it: with the id of the call it names one, for a provider may repeat that. Absent outside a conversation. [RUN11] */
  readonly stepId?: string
  readonly name: string
  readonly input: Json
}

/** Whether calls of the tool change nothing, so that they may run side by side. [TOOL7] */
export function isReadOnly(definition: ToolDefinition): boolean {
  const { annotations, category, claims } = definition
  if (claims?.annotations?.readOnly === false || claims?.annotations?.destructive === true) return false
  if (annotations?.destructive === true) return false
  return annotations?.readOnly ?? category === 'read'
}
