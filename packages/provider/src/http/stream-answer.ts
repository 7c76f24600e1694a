import { emptyAnswer } from '../errors/not-a-stream.ts'
import { type ModelPart, ProviderError, type StreamPorts } from '../model-port.ts'
import { createHandOver } from '../wire/hand-over.ts'
import type { ServerSentEvent } from './event-stream.ts'
import { type EventBatch, openEventStream, type StreamRequest } from './http-stream.ts'

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
 * Makes one request and hands on its answer in the calls that read it. Ends quietly when the signal aborts: the
 * connection is closed by then, and what was handed on stays. [STOP2, STOP3] `prepare` makes the request, closed by the
 * same signal.
 *
 * @throws {ProviderError} for every refusal and failure. Nothing is tried twice.
 * @throws what `onPart` threw, as it is.
 */
export async function streamAnswer(ports: StreamPorts, prepare: () => Promise<Asking>): Promise<void> {
  const asking = await prepare()
  try {
    await readAnswer(asking, ports)
  } catch (error) {
    if (!ports.signal.aborted) throw error
  }
}

async function readAnswer({ request, parser }: Asking, ports: StreamPorts): Promise<void> {
  const { signal } = ports
  const handOver = createHandOver(ports)
  const source = await openEventStream(request)

  function take({ events, rest }: EventBatch): Promise<void> | undefined {
    let taken = 0
    for (const event of events) {
      taken += 1
      const pause = handOver.give(parser.read(event))
      if (pause !== undefined) return takeAfter(pause, { events: events.slice(taken), rest })
      if (isOver()) return undefined
    }
    if (parser.complete) source.finishing()
    return rest === null ? undefined : handOver.give(readRest(parser, rest))
  }

  async function takeAfter(pause: Promise<void>, left: EventBatch): Promise<void> {
    await pause
    if (!isOver()) await take(left)
  }

  function isOver(): boolean {
    if (!signal.aborted && !parser.finished) return false
    source.stop()
    return true
  }

  await source.read(take)
  if (signal.aborted) return
  await handOver.give(parser.end())
  if (!handOver.hasGiven && !parser.finished) throw emptyAnswer()
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
