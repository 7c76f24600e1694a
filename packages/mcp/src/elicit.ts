import { Json } from '@holdfast/conversation'
import * as z from 'zod'

/** What a server wants to know of a person while one of its calls runs. */
export interface ServerQuestion {
  readonly server: string
  readonly callId: string
  readonly message: string
  /** JSON Schema of an object with simple members. */
  readonly schema: Json
}

/** What the person said. */
export type ServerAnswer =
  | { readonly type: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly type: 'decline' }
  | { readonly type: 'cancel' }

/**
 * Asks a person for a server. An implementer shows which server asks, resolves with `cancel` when the signal fires,
 * and never answers by itself.
 */
export type Elicit = (question: ServerQuestion, options: { readonly signal: AbortSignal }) => Promise<ServerAnswer>

/** The part of a request that is read; a server's words are data. [REQ7] */
export const ElicitParameters = z.looseObject({
  message: z.string().max(10_000),
  requestedSchema: Json.optional(),
  mode: z.string().optional(),
})
