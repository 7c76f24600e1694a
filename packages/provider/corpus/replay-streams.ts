import { createAnthropicParser } from '@holdfast/provider/anthropic'
import { createChatParser } from '@holdfast/provider/openai-chat'
import { createEventStreamParser, type ServerSentEvent } from '../src/http/event-stream.ts'
import type { AnswerParser } from '../src/http/stream-answer.ts'
import { type ModelPart, ProviderError } from '../src/model-port.ts'
import { collectParts } from '../src/testing/collect-parts.ts'
import { createCallIds } from '../src/wire/call-ids.ts'
import { type RecordedStream, readRecordings } from './recorded-streams.ts'

/** What came of replaying every recorded stream, cut in every way. */
export interface ReplayReport {
  readonly streams: number
  readonly otherFormats: number
  /** Streams cut in two, byte by byte, or with other line ends. */
  readonly splits: number
  /** Streams that ended early. */
  readonly truncations: number
  readonly mismatches: number
  readonly thrown: number
  /** Truncated streams that claim the provider's own end without having got it. */
  readonly falseEnds: number
  /** The first problems, in words. */
  readonly problems: readonly string[]
}

/** Streams of more bytes are cut at `SAMPLED` places, evenly spread, instead of everywhere. */
const ALL_OFFSETS_UP_TO = 200_000
/** So many cuts of a large stream go through the whole parser; all others are compared event by event. */
const SAMPLED = 2_000
const PARTS_AT_ALL_OFFSETS_UP_TO = 8_000
const TRUNCATED_AT = 200
const QUICKLY_SAMPLED = 100

/**
 * Parses every recorded stream of a folder, cut in every way, and counts what differs. [R10]
 *
 * @param depth - `whole` reads the whole stream again for every place of a cut: minutes. `quick` reads it so at a few
 * places, and at every place only the three events around the cut: a parser begins anew with each event.
 */
export function replayStreams(folder: string, depth: 'quick' | 'whole'): ReplayReport {
  const { streams, otherFormats } = readRecordings(folder)
  const counts = { splits: 0, truncations: 0, mismatches: 0, thrown: 0, falseEnds: 0 }
  const problems: string[] = []
  const note = (kind: 'mismatches' | 'thrown' | 'falseEnds', what: string): void => {
    counts[kind] += 1
    if (problems.length < 20) problems.push(`${kind}: ${what}`)
  }
  const attempt = <T>(what: string, run: () => T): T | null => {
    try {
      return run()
    } catch (error) {
      note('thrown', `${what}: ${String(error)}`)
      return null
    }
  }
  for (const stream of streams) {
    const { bytes, path } = stream
    const whole = attempt(path, () => partsText(stream, [bytes]))
    const events = eventsOf([bytes])
    if (whole === null) continue
    const check = (what: string, run: () => boolean): void => {
      counts.splits += 1
      if (attempt(what, run) === false) note('mismatches', what)
    }
    const compare = (what: string, pieces: readonly Uint8Array[]): void => {
      check(what, () => partsText(stream, pieces) === whole)
    }
    const everywhere = bytes.length <= ALL_OFFSETS_UP_TO ? bytes.length : SAMPLED
    if (depth === 'whole') {
      for (const offset of offsetsOf(bytes.length, everywhere)) {
        check(`${path} at ${offset}`, () => sameEvents(eventsOf(inTwo(bytes, offset)), events))
      }
    } else {
      for (const { part, offset } of aroundEachCut(bytes)) {
        check(`${path} around a cut`, () => sameEvents(eventsOf(inTwo(part, offset)), eventsOf([part])))
      }
    }
    const sampled = depth === 'whole' ? SAMPLED : QUICKLY_SAMPLED
    for (const offset of offsetsOf(bytes.length, bytes.length <= PARTS_AT_ALL_OFFSETS_UP_TO ? bytes.length : sampled)) {
      compare(`${path} at ${offset}`, inTwo(bytes, offset))
    }
    compare(
      `${path} byte by byte`,
      [...bytes].map((byte) => Uint8Array.of(byte)),
    )
    for (const end of ['\r', '\r\n']) {
      const other = new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll('\n', end))
      compare(`${path} with other line ends`, [other])
      for (const offset of offsetsOf(other.length, 200)) {
        compare(`${path} with other line ends at ${offset}`, inTwo(other, offset))
      }
    }
    const endsAt = lengthUpToEnd(bytes)
    for (const offset of offsetsOf(bytes.length, TRUNCATED_AT)) {
      counts.truncations += 1
      const cut = attempt(`${path} ended at ${offset}`, () =>
        collectParts(partsOf(stream, [bytes.subarray(0, offset)])),
      )
      if (cut && cut.finish !== null && offset < endsAt) note('falseEnds', `${path} ended at ${offset}`)
    }
  }
  return { streams: streams.length, otherFormats, ...counts, problems }
}

function eventsOf(pieces: readonly Uint8Array[]): ServerSentEvent[] {
  const parser = createEventStreamParser({ limit: 64 * 1024 * 1024 })
  const events: ServerSentEvent[] = []
  for (const piece of pieces) events.push(...parser.push(piece))
  const rest = parser.end()
  return rest ? [...events, rest] : events
}

function sameEvents(some: readonly ServerSentEvent[], others: readonly ServerSentEvent[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, data }, index) => name === others[index]?.name && data === others[index]?.data)
  )
}

function partsText(stream: RecordedStream, pieces: readonly Uint8Array[]): string {
  return JSON.stringify(partsOf(stream, pieces))
}

/** The parts of a body, as the adapters make them; an error that the stream itself holds ends them. */
function partsOf(stream: RecordedStream, pieces: readonly Uint8Array[]): ModelPart[] {
  const parser = parserFor(stream)
  const bytes = createEventStreamParser({ limit: 64 * 1024 * 1024 })
  const parts: ModelPart[] = []
  for (const piece of pieces) for (const event of bytes.push(piece)) parts.push(...parser.read(event))
  const rest = bytes.end()
  if (rest) parts.push(...readRest(parser, rest))
  return [...parts, ...parser.end()]
}

/** What is left at the end of a stream may be half an event: only that may be refused. */
function readRest(parser: AnswerParser, rest: ServerSentEvent): readonly ModelPart[] {
  try {
    return parser.read(rest)
  } catch (error) {
    if (error instanceof ProviderError) return []
    throw error
  }
}

function parserFor({ format }: RecordedStream): AnswerParser {
  let count = 0
  const next = (): string => `call_${++count}`
  const callIds = createCallIds({ messages: [], next })
  return format === 'anthropic'
    ? createAnthropicParser({ callIds })
    : createChatParser({ vendor: 'openai-compatible', callIds, reasoningReplay: 'reasoning_details' })
}

function inTwo(bytes: Uint8Array, offset: number): Uint8Array[] {
  return [bytes.subarray(0, offset), bytes.subarray(offset)]
}

/** Every place of a stream, with the event before it, its own and the next one. */
function* aroundEachCut(bytes: Uint8Array): Generator<{ readonly part: Uint8Array; readonly offset: number }> {
  const starts = [0]
  for (let index = 1; index < bytes.length; index++)
    if (bytes[index] === 10 && bytes[index - 1] === 10) starts.push(index + 1)
  for (const [event, start] of starts.entries()) {
    const from = starts[event - 1] ?? 0
    const end = starts[event + 1] ?? bytes.length
    const part = bytes.subarray(from, starts[event + 2] ?? bytes.length)
    for (let place = start; place < end; place++) yield { part, offset: place - from }
  }
}

/** So many places, evenly spread, from 0 up to the length. */
function* offsetsOf(length: number, count: number): Generator<number> {
  for (let index = 0; index < count; index++) yield Math.floor((index * length) / count)
}

/** How many bytes hold the first sign of the provider's own end. */
function lengthUpToEnd(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const signs = [/"type": ?"message_stop"/, /"finish_reason": ?"/, /\[DONE\]/].map((sign) => text.search(sign))
  return Math.min(...signs.filter((place) => place >= 0), bytes.length)
}
