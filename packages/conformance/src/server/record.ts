import type { UsageFigures } from '../answer.ts'
import type { LostPrefix } from '../cache/cache-break.ts'
import type { PlacedFault } from '../faults/fault.ts'
import type { FormatName } from '../format-name.ts'
import type { Refusal } from '../violation.ts'

/** What a client asked for. */
export type Operation = 'generate' | 'stream' | 'count-tokens' | 'list-models'

/** How a response ended: by its own end, by the client, or by a script's fault. */
export type Ending = 'finished' | 'client-closed' | 'fault' | 'provider-closed'

/** One request and all that happened to it. Times are ms of the provider's monotonic clock. */
export interface RequestRecord {
  /** 1 for the first request of this provider. */
  readonly number: number
  readonly at: number
  readonly method: string
  readonly path: string
  /** As sent; keys, tokens and cookies are replaced by `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>
  readonly rawBody: Uint8Array
  /** The parsed body, undefined where it is not JSON. */
  readonly body: unknown
  readonly format: FormatName | undefined
  readonly operation: Operation | undefined
  readonly model: string | undefined
  readonly violations: readonly Refusal[]
  readonly fault: PlacedFault | undefined
  readonly usage: UsageFigures | undefined
  /** Why less was read from the cache than the request before had made readable. */
  readonly cacheBreak: LostPrefix | undefined
  /** What a cache without marks, minimum, steps and expiry would have read of this prompt; undefined where none was read. */
  readonly idealReadTokens: number | undefined
  readonly status: number | undefined
  readonly receivedMs: number
  readonly headersWrittenMs: number | undefined
  readonly firstByteMs: number | undefined
  /** When each delta was handed to the connection. */
  readonly deltaMs: readonly number[]
  readonly bytesWritten: number
  /** Of these, bytes of UTF-8 that are the model's own words: what there is to pay for in an answer that was cut. */
  readonly deltaBytes: number
  /** When the proper end was written. */
  readonly endedMs: number | undefined
  /** When the client's side of the connection was seen closed before the proper end. */
  readonly clientClosedMs: number | undefined
  readonly ending: Ending | undefined
  /** Resolves when the response is over, whatever ended it. */
  readonly done: Promise<void>
}

/** A record while it is being written. */
export type OpenRecord = { -readonly [Field in keyof RequestRecord]: RequestRecord[Field] } & { deltaMs: number[] }

const SECRET = /^(?:authorization|proxy-authorization|x-api-key|api-key|x-goog-api-key|cookie|x-amz-security-token)$/

/** Headers without secrets, in the order they came. */
export function safeHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '')
    return [name, SECRET.test(name) ? '[redacted]' : text]
  })
  return Object.fromEntries(entries)
}

/** A path without the key that Gemini takes in its query. */
export function safePath(path: string): string {
  return path.replace(/([?&]key=)[^&]*/, '$1[redacted]')
}
