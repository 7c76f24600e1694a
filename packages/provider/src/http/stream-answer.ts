import { emptyAnswer } from '../errors/not-a-stream.ts'
import { type ModelPart, ProviderError } from '../model-port.ts'
import type { ServerSentEvent } from './event-stream.ts'
import { openEventStream, type StreamRequest } from './http-stream.ts'

/** Turns the events of one answer into parts. */
export interface AnswerParser {
  /**
   * The parts that an event completes.
   *
   * @throws {ProviderError} when the event is an error, or not one at all.
   */
  read(event: ServerSentEvent): readonly ModelPart[]
  /** The parts that the end of the stream completes; nothing when the answer was cut. [RUN5] */
  end(): readonly ModelPart[]
  /** True once the provider has said that the answer is complete; figures may still follow. */
  readonly complete: boolean
  /** True once nothing may follow. */
  readonly finished: boolean
}

/** A request, and what reads its answer. */
export interface Asking {
  readonly request: StreamRequest
  readonly parser: AnswerParser
}

/**
 * Makes one request and yields its answer as it comes. Ends quietly when the signal aborts: the connection is
 * closed by then, and what was yielded stays. [STOP2, STOP3] `prepare` makes the request, closed by the same signal.
 *
 * @throws {ProviderError} for every refusal and failure. Nothing is tried twice.
 */
export async function* streamAnswer(signal: AbortSignal, prepare: () => Promise<Asking>): AsyncGenerator<ModelPart> {
  const { request, parser } = await prepare()
  let yielded = false
  try {
    const source = await openEventStream(request)
    for await (const { events, rest } of source.batches) {
      for (const event of events) {
        for (const part of parser.read(event)) {
          if (signal.aborted) return
          yielded = true
          yield part
        }
        if (parser.finished) return
      }
      for (const part of rest ? readRest(parser, rest) : []) {
        yielded = true
        yield part
      }
      if (parser.complete) source.finishing()
    }
    if (signal.aborted) return
    yield* parser.end()
    if (!yielded && !parser.finished) throw emptyAnswer()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** What stands at the end without an end of its own counts if it is whole; half an event is none. */
function readRest(parser: AnswerParser, rest: ServerSentEvent): readonly ModelPart[] {
  try {
    return parser.read(rest)
  } catch (error) {
    if (error instanceof HalfEventError) return []
    throw error
  }
}

/** The data of an event is not JSON: at the end of a stream it is what came of an event that was cut. */
class HalfEventError extends ProviderError {}

/** The error of a stream that holds what no stream of its form may hold. */
export function brokenStream(what: string): ProviderError {
  return new ProviderError('internal', `The provider's stream holds ${what}`, {})
}

/** The error of an event whose data is not JSON. */
export function notJson(): ProviderError {
  return new HalfEventError('internal', "The provider's stream holds an event that is not a JSON object", {})
}
