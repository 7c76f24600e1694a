/** Where a fault strikes. */
export type Place = 'before-first-event' | 'in-text' | 'in-thinking' | 'in-tool-arguments' | 'after-last-delta'

/** What a vendor means by an error status. */
export type ErrorMeaning =
  | 'auth'
  | 'forbidden'
  | 'model-missing'
  | 'bad-request'
  | 'too-long'
  | 'timeout'
  | 'too-large'
  | 'rate-limit'
  | 'quota'
  | 'internal'
  | 'bad-gateway'
  | 'unavailable'
  | 'overloaded'

/** What goes wrong, as data. */
export type FaultEffect =
  /** The vendor's error answer instead of a stream. */
  | {
      readonly type: 'status'
      readonly status: number
      readonly meaning: ErrorMeaning
      readonly retryAfterSeconds?: number
    }
  /** The client cannot even connect: `addressOf` gives the URL to use. */
  | { readonly type: 'address'; readonly address: 'refused' | 'unknown-host' | 'not-tls' }
  /** Something happens to the connection. */
  | {
      readonly type: 'connection'
      readonly what:
        | 'reset-before-headers'
        | 'no-answer'
        | 'reset'
        | 'cut-in-event'
        | 'cut-between-events'
        | 'clean-end'
        | 'hang'
        | 'pings-only'
        | 'drip'
    }
  /** The whole answer is not what it should be. */
  | {
      readonly type: 'body'
      readonly what:
        | 'wrong-content-type'
        | 'html'
        | 'gzip'
        | 'gzip-cut'
        | 'empty-200'
        | 'json-instead-of-stream'
        | 'error-in-200'
    }
  /** An event that should not be there, or one that is missing. */
  | {
      readonly type: 'event'
      readonly what:
        | 'error-event'
        | 'overloaded-event'
        | 'no-stop-event'
        | 'invalid-utf8'
        | 'invalid-json'
        | 'unknown-event'
        | 'start-twice'
    }
  /** The model's own answer is odd; the stream is well-formed. */
  | { readonly type: 'content'; readonly what: ContentFault }

/** Odd answers in well-formed streams. */
export type ContentFault =
  | 'zero-output'
  | 'refusal'
  | 'only-thinking'
  | 'unsigned-thinking'
  | 'huge-delta'
  | 'million-deltas'
  | 'unknown-block'
  | 'arguments-invalid-json'
  | 'arguments-not-an-object'
  | 'arguments-5-mb'
  | 'arguments-duplicate-keys'
  | 'arguments-proto'
  | 'duplicate-ids'
  | 'id-of-an-earlier-turn'
  | 'empty-id'
  | 'missing-id'
  | 'unknown-tool'
  | 'index-out-of-order'
  | 'max-tokens-in-call'
  | 'usage-missing'
  | 'usage-negative'
  | 'usage-early'
  | 'model-name-changed'

/** One thing that can go wrong, and where. */
export interface Fault {
  readonly name: string
  readonly effect: FaultEffect
  readonly places: readonly Place[]
  /**
   * What is on the wire: `error` no stream begins, `cut` the stream ends without its own end, `silent` nothing more comes
   * and only a time limit ends it, `whole` the stream reaches its own end and something in it is odd.
   */
  readonly outcome: 'error' | 'cut' | 'silent' | 'whole'
}

/** A fault at one of its places. */
export interface PlacedFault {
  readonly fault: Fault
  readonly place: Place
}
