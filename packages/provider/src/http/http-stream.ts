import { classifyProviderError } from '../errors/classify-provider-error.ts'
import type { Vendor } from '../errors/error-rules.ts'
import { isNetworkFailure, networkError } from '../errors/network-error.ts'
import { notAStream } from '../errors/not-a-stream.ts'
import { ProviderError } from '../model-port.ts'
import { type BodyReader, createBodyReader } from './body-reader.ts'
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
  /** The events as they come. Ends when the signal aborts or the server has ended the body. */
  readonly batches: AsyncIterable<EventBatch>
  /** From now on the stream has `tailMs` to end: the answer is complete, a failure of the line is none of it. */
  finishing(): void
}

/**
 * Opens a stream of events.
 *
 * @throws {ProviderError} for every answer that is not such a stream, and for none; see also `batches`. [RUN9]
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
  let finished = false
  let tail: ReturnType<typeof setTimeout> | undefined
  return {
    batches: readBatches(answer, {
      body: createBodyReader(answer),
      request,
      isFinished: () => finished,
      onClosed: () => clearTimeout(tail),
    }),
    finishing() {
      if (finished) return
      finished = true
      tail = setTimeout(() => answer.destroy(), request.limits.tailMs)
    },
  }
}

interface Reading {
  readonly body: BodyReader
  readonly request: StreamRequest
  readonly isFinished: () => boolean
  readonly onClosed: () => void
}

async function* readBatches(
  answer: HttpAnswer,
  { body, request, isFinished, onClosed }: Reading,
): AsyncGenerator<EventBatch> {
  const parser = createEventStreamParser({ limit: request.limits.eventSize })
  try {
    for (let chunks = await body.next(); chunks !== null; chunks = await body.next()) {
      const events = chunks.flatMap((chunk) => parser.push(chunk))
      if (events.length > 0) yield { events, rest: null }
      if (request.signal.aborted) return
    }
    yield { events: [], rest: parser.end() }
  } catch (error) {
    if (request.signal.aborted || isFinished()) return
    if (error instanceof EventTooLargeError) throw new ProviderError('internal', error.message, { cause: error })
    if (!isNetworkFailure(error)) throw error
    throw networkError(error, new URL(request.url).host)
  } finally {
    onClosed()
    answer.destroy()
  }
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
