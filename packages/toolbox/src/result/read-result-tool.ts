import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { failureAnswer, textAnswer } from '../files/file-answer.ts'

/** A result that was too long for the conversation, kept whole. */
export interface StoredResult {
  readonly sizeBytes: number
  /** UTF-8. */
  readonly content: AsyncIterable<Uint8Array>
}

/** How an excerpt names what it is of: the result of a call, or a text of the entry at `seq`. */
export type ResultReference =
  | { readonly type: 'call'; readonly callId: string }
  | { readonly type: 'entry'; readonly seq: number }

/**
 * Finds a stored text of this conversation by the name that its excerpt shows. An implementer returns null for
 * what is not of this conversation, whoever else has it. [LOG11]
 */
export type FindResult = (
  reference: ResultReference,
  options: { readonly signal: AbortSignal },
) => Promise<StoredResult | null>

const MOST_BYTES = 40_000

const Input = z
  .object({
    callId: z.string().min(1).max(200).optional(),
    seq: z.int().positive().optional(),
    from_byte: z.int().nonnegative().default(0),
    byte_count: z.int().min(16).max(MOST_BYTES).default(MOST_BYTES),
  })
  .refine(({ callId, seq }) => (callId === undefined) !== (seq === undefined), 'Give callId or seq, one of them')

/** Reads a stored result page by page. [WIN6] */
export function createReadResultTool(findResult: FindResult): Tool {
  return defineTool({
    name: 'read_result',
    description: `Reads a part of a text that was too long to be shown whole, named by callId or seq as its excerpt says: at most ${MOST_BYTES} bytes from from_byte on.`,
    input: Input,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { callId: 'plain' },
    timeoutMs: 30_000,
    run: async ({ callId, seq, from_byte: fromByte, byte_count: byteCount }, { signal }) => {
      const reference = referenceOf(callId, seq)
      const result = await findResult(reference, { signal })
      if (!result)
        return failureAnswer(`This conversation has no stored text of ${JSON.stringify(callId ?? `entry ${seq}`)}.`)
      const { sizeBytes } = result
      if (fromByte >= sizeBytes)
        return failureAnswer(`The result has ${sizeBytes} bytes; there is nothing from byte ${fromByte} on.`)
      const { text, from, next } = await pageOf(result, { fromByte, byteCount })
      const more = next < sizeBytes ? ` Read on with from_byte ${next}.` : ' This is its end.'
      return textAnswer(`Bytes ${from} to ${next} of ${sizeBytes}.${more}\n${text}`)
    },
  })
}

/** @throws when the input names nothing, which its schema rules out. */
function referenceOf(callId: string | undefined, seq: number | undefined): ResultReference {
  if (callId !== undefined) return { type: 'call', callId }
  if (seq !== undefined) return { type: 'entry', seq }
  throw new Error('Neither callId nor seq is given')
}

/** Reads one page; its edges are moved to whole characters. */
async function pageOf(
  { content }: StoredResult,
  { fromByte, byteCount }: { readonly fromByte: number; readonly byteCount: number },
): Promise<{ readonly text: string; readonly from: number; readonly next: number }> {
  const pieces: Uint8Array[] = []
  let at = 0
  for await (const piece of content) {
    const start = Math.max(0, fromByte - at)
    const end = Math.min(piece.byteLength, fromByte + byteCount - at)
    if (start < end) pieces.push(piece.subarray(start, end))
    at += piece.byteLength
    // One byte more tells whether the last character goes on.
    if (at > fromByte + byteCount) break
  }
  const bytes = Buffer.concat(pieces)
  const first = wholeFrom(bytes)
  const last = at > fromByte + bytes.byteLength ? wholeUntil(bytes) : bytes.byteLength
  return { text: bytes.subarray(first, last).toString('utf8'), from: fromByte + first, next: fromByte + last }
}

/** Where the first whole character begins. */
function wholeFrom(bytes: Uint8Array): number {
  let at = 0
  while (at < 3 && isContinuation(bytes[at])) at++
  return at
}

/** Where the last whole character ends. */
function wholeUntil(bytes: Uint8Array): number {
  let start = bytes.byteLength - 1
  while (start > bytes.byteLength - 4 && isContinuation(bytes[start])) start--
  const lead = bytes[start] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + length > bytes.byteLength ? start : bytes.byteLength
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
