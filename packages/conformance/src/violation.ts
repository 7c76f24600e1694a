import type { JsonRecord } from './json.ts'

/** One thing in a request that the vendor refuses, with the answer the vendor gives. */
export interface Refusal {
  /** The rule of the README's table. */
  readonly rule: string
  /** Where in the body, as `messages.2.content.0`. */
  readonly path: string
  readonly status: number
  /** The vendor's words. */
  readonly message: string
  /** The vendor's whole error body. */
  readonly body: JsonRecord
}
