import type { Answer, AnswerPart } from './answer.ts'
import type { CheckState } from './check-state.ts'
import type { ErrorMeaning } from './faults/fault.ts'
import type { FormatName } from './format-name.ts'
import type { Frame } from './frame.ts'
import type { JsonRecord } from './json.ts'
import type { ReplyPart } from './reply.ts'
import type { Segment } from './segment.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Refusal } from './violation.ts'
import type { Wire } from './wire.ts'

/** A refusal or an error before any stream. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonRecord
}

/** Makes the opaque text that a thinking block or a call carries; `before` are the parts before it in this answer. */
export type PartSigner = (part: ReplyPart, before: readonly AnswerPart[]) => string | undefined

/** Everything that differs between vendors, for one wire format. */
export interface Format {
  readonly name: FormatName
  readonly wire: Wire
  /** What the vendor refuses in this body, in the order in which it would be noticed. */
  check(body: JsonRecord, state: CheckState): readonly Refusal[]
  /** The prompt as blocks, for counting and caching. */
  segments(body: JsonRecord, tokenizer: Tokenizer): readonly Segment[]
  /** Settings that change how messages are read, and so the cache. */
  cacheSettings(body: JsonRecord): string
  /** The cache that a request belongs to beside its key and model. */
  cacheKey(body: JsonRecord): string
  signer(body: JsonRecord, state: CheckState): PartSigner
  /** Ids of the calls in the history, oldest first. */
  callIds(body: JsonRecord): readonly string[]
  /** Prefixes and length of ids; calls get none where theirs is empty. */
  readonly ids: { readonly answer: string; readonly call: string; readonly length: number }
  wantsUsage(body: JsonRecord): boolean
  frames(answer: Answer): Iterable<Frame>
  /** The whole answer where no stream was asked for. */
  body(answer: Answer): JsonRecord
  error(status: number, meaning: ErrorMeaning): ErrorAnswer
  /** An error as an event of a stream that has begun. */
  errorFrame(meaning: ErrorMeaning): Frame
  counted(tokens: number): JsonRecord
}
