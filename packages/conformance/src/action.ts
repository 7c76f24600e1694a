/** One thing that is done with a connection. A response is a list of them, in order. */
export type Action =
  | { readonly type: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly type: 'write'
      readonly bytes: Uint8Array
      readonly isDelta: boolean
      /** The size of a delta's text, 0 for what is none. */
      readonly deltaBytes: number
    }
  | { readonly type: 'wait'; readonly waitMs: number }
  /** One byte at a time, so long after each other. */
  | { readonly type: 'drip'; readonly bytes: Uint8Array; readonly everyMs: number }
  /** The same bytes again and again until the client leaves. */
  | { readonly type: 'repeat'; readonly bytes: Uint8Array; readonly everyMs: number }
  /** Nothing more until the client leaves. */
  | { readonly type: 'hang' }
  /** The proper end of the body. */
  | { readonly type: 'finish' }
  /** The connection is closed with the body unfinished. */
  | { readonly type: 'drop' }
  /** The connection is reset. */
  | { readonly type: 'reset' }
