import { classifyProviderError } from '../errors/classify-provider-error.ts'
import type { Vendor } from '../errors/error-rules.ts'
import { brokenLineError, isNetworkFailure, networkError } from '../errors/network-error.ts'
import { notAStream } from '../errors/not-a-stream.ts'
import { ProviderError } from '../model-port.ts'
import { BrokenBodyError, createBodyPump } from './body-pump.ts'
import { createEventStreamParser, EventTooLargeError, type ServerSentEvent } from './event-stream.ts'
import { type HttpAnswer, type HttpRequest, readBody, sendRequest } from './http-client.ts'

/** A request whose answer is a stream of server-sent events. */
export interface StreamRequest extends HttpRequest {
  readonly vendor: Vendor
}

/** Events that came together, and what was left at the end of the stream. */
export interface EventBatch {
  readonly events: readonly ServerSentEvent[]
  /** An event without its end: it may be half of one. */
  readonly rest: ServerSentEvent | null
}

/** An open stream of events. */
export interface EventSource {
  /**
   * Hands on events in the call that reads them, until the server has ended the body, the signal aborts or `stop` is
   * called; the connection is closed then, or kept for the next request where the body ends. A promise of `onBatch`
   * pauses the body. [RUN18, RUN31]
   *
   * @throws {ProviderError} for a line that breaks and for what is no stream of events. [RUN9]
   * @throws what `onBatch` threw.
   */
  read(onBatch: (batch: EventBatch) => Promise<void> | undefined): Promise<void>
  /** From now on the stream has `tailMs` to end: the answer is complete, a failure of the line is none of it. */
  finishing(): void
  /** Nothing more is wanted: `read` resolves, and the body has `END_MS` to end by itself. */
  stop(): void
}

/** The end of a body comes with its last event or a moment after; in milliseconds. */
const END_MS = 100

/**
 * Opens a stream of events.
 *
 * @throws {ProviderError} for every answer that is not such a stream, and for none; see also `read`. [RUN9]
 */
export async function openEventStream(request: StreamRequest): Promise<EventSource> {
  const answer = await sendRequest({ ...request, headers: { accept: 'text/event-stream', ...request.headers } })
  const status = answer.statusCode ?? 0
  const type = answer.headers['content-type'] ?? ''
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  const refusal = status < 200 || status > 299
  if (refusal || /json|html/.test(type)) throw await refused(request, answer)
  if (encoding !== 'identity') {
    answer.destroy()
    throw new ProviderError('internal', `The provider answered in ${encoding}, which it was not asked for`, { status })
  }
  const parser = createEventStreamParser({ limit: request.limits.eventSize })
  const pump = createBodyPump(answer)
  let isFinishing = false
  let isStopped = false
  let isWhole = false
  let hasBegun = false
  let tail: ReturnType<typeof setTimeout> | undefined
  return {
    async read(onBatch) {
      try {
        await pump.run((bytes) => {
          const events = parser.push(bytes)
          if (events.length === 0) return undefined
          hasBegun = true
          return onBatch({ events, rest: null })
        })
        if (isStopped) isWhole = !request.signal.aborted
        else await onBatch({ events: [], rest: parser.end() })
      } catch (error) {
        if (error instanceof BrokenBodyError) {
          if (!request.signal.aborted && !isFinishing) throw lineError(error.cause, request, hasBegun)
        } else if (error instanceof EventTooLargeError)
          throw new ProviderError('internal', error.message, { cause: error })
        else throw error
      } finally {
        clearTimeout(tail)
        if (isWhole) letEnd(answer)
        else answer.destroy()
      }
    },
    finishing() {
      if (isFinishing) return
      isFinishing = true
      tail = setTimeout(() => answer.destroy(), request.limits.tailMs)
    },
    stop() {
      isStopped = true
      pump.stop()
    },
  }
}

/** Reads on to the end of a body for its connection, which serves the next request then. Nobody waits for it. [RUN31] */
function letEnd(answer: HttpAnswer): void {
  if (answer.closed) return
  const late = setTimeout(() => answer.destroy(), END_MS)
  answer.once('close', () => clearTimeout(late))
}

function lineError(cause: unknown, { url }: StreamRequest, hasBegun: boolean): unknown {
  if (!isNetworkFailure(cause)) return cause
  const { host } = new URL(url)
  return hasBegun ? brokenLineError(cause, host) : networkError(cause, host)
}

/** The error of an answer that is no stream. A status of success with a body of another kind is the server's defect. */
async function refused({ vendor, limits, url, signal }: StreamRequest, answer: HttpAnswer): Promise<ProviderError> {
  const status = answer.statusCode ?? 0
  try {
    const bodyText = await readBody(answer, limits.bodyBytes)
    const succeeded = status >= 200 && status <= 299
    const error = classifyProviderError({
      vendor,
      status: succeeded ? null : status,
      bodyText,
      headers: answer.headers,
      nowMs: Date.now(),
    })
    return succeeded ? notAStream(error, status, answer.headers['content-type'] ?? '') : error
  } catch (error) {
    if (signal.aborted || isNetworkFailure(error)) return networkError(error, new URL(url).host)
    throw error
  } finally {
    answer.destroy()
  }
}
