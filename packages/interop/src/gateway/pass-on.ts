import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OpenPass, PassedOutcome } from '@holdfast/engine'
import { classifyProviderError, ProviderError, type Vendor } from '@holdfast/provider'
import { type AnswerTap, createAnswerTap, type HeardAnswer, NOTHING_HEARD, type WireForm } from '@holdfast/provider/tap'
import { headersBack } from './passed-headers.ts'
import { askUpstream, type UpstreamRequest } from './upstream.ts'

/** One request on its way through. */
export interface Passing {
  readonly form: WireForm
  readonly upstream: Omit<UpstreamRequest, 'signal'>
  readonly response: ServerResponse
  /** Null for what costs nothing, and has no record. */
  readonly pass: OpenPass | null
  /** Aborted when its agent is gone. */
  readonly signal: AbortSignal
}

/** So much of a refusal is read for its words, in bytes. */
const READ_OF_REFUSAL = 65_536

/**
 * Passes a request on and its answer back, byte by byte as it comes, and has it recorded before its end is passed back.
 * A stop closes both lines at once. [AGENT8, AGENT28]
 *
 * @returns the failure where no answer came, of which nothing was passed back.
 */
export async function passOn(passing: Passing): Promise<ProviderError | null> {
  let isRecorded = false
  const record = async (outcome: PassedOutcome): Promise<void> => {
    isRecorded = true
    await passing.pass?.record(outcome)
  }
  try {
    return await passThrough(passing, record)
  } catch (error) {
    // A run ends when all that was asked beside it is recorded: whatever goes wrong here must not keep it open.
    const failure = new ProviderError('internal', 'The request could not be passed on', {})
    if (!isRecorded) await record(outcomeOf({ heard: NOTHING_HEARD, status: null, failure }))
    throw error
  }
}

async function passThrough(
  { form, upstream, response, pass, signal }: Passing,
  record: (outcome: PassedOutcome) => Promise<void>,
): Promise<ProviderError | null> {
  const leaving = new AbortController()
  response.once('close', () => leaving.abort())
  const all = AbortSignal.any([signal, leaving.signal, ...(pass === null ? [] : [pass.signal])])
  const cut = pass === null ? signal : AbortSignal.any([signal, pass.signal])
  const answer = await askUpstream({ ...upstream, signal: all }).catch(asFailure)
  if (answer instanceof ProviderError) {
    await record(outcomeOf({ heard: NOTHING_HEARD, status: null, failure: all.aborted ? null : answer }))
    if (cut.aborted) response.destroy()
    return all.aborted ? null : answer
  }
  const status = answer.statusCode ?? 0
  const isStream = /event-stream/.test(answer.headers['content-type'] ?? '')
  const tap = createAnswerTap({ form, isStream })
  const relayed = await relay({ answer, response, tap, signal: all })
  const heard = tap.end()
  const failure = all.aborted ? null : failureOf({ form, answer, status, heard, ...relayed })
  await record(outcomeOf({ heard, status, failure }))
  if (relayed.isWhole && !cut.aborted) response.end()
  else response.destroy()
  return null
}

function asFailure(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  throw error
}

interface Relay {
  readonly answer: IncomingMessage
  readonly response: ServerResponse
  readonly tap: AnswerTap
  readonly signal: AbortSignal
}

interface Relayed {
  /** Whether the provider's line ended as it should. */
  readonly isWhole: boolean
  /** The beginning of a refusal. */
  readonly words: string
}

/** Copies an answer as it comes: what a client does not take makes the provider wait. */
async function relay({ answer, response, tap, signal }: Relay): Promise<Relayed> {
  const isRefusal = (answer.statusCode ?? 0) >= 400
  const words: Buffer[] = []
  let readBytes = 0
  response.writeHead(answer.statusCode ?? 502, headersBack(answer.headers))
  response.flushHeaders()
  const stop = (): void => void answer.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of answer) {
      if (!(chunk instanceof Buffer)) continue
      const goesOn = response.write(chunk)
      tap.push(chunk)
      if (isRefusal && readBytes < READ_OF_REFUSAL) words.push(chunk)
      readBytes += chunk.length
      if (!goesOn) await once(response, 'drain', { signal })
    }
    return { isWhole: !signal.aborted, words: textOf(words) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { isWhole: false, words: textOf(words) }
  } finally {
    signal.removeEventListener('abort', stop)
    answer.destroy()
  }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, READ_OF_REFUSAL).toString('utf8')
}

interface Answered extends Relayed {
  readonly form: WireForm
  readonly answer: IncomingMessage
  readonly status: number
  readonly heard: HeardAnswer
}

/** Why an answer is none, or only a part of one; null where the provider ended it by itself. */
function failureOf({ form, answer, status, heard, isWhole, words }: Answered): ProviderError | null {
  if (status >= 400) {
    const vendor = VENDORS[form]
    return classifyProviderError({ vendor, status, bodyText: words, headers: answer.headers, nowMs: Date.now() })
  }
  if (heard.error !== null) return new ProviderError('internal', heard.error, {})
  if (!isWhole) return new ProviderError('network', 'The line to the provider broke in the middle of the answer', {})
  return heard.ended ? null : new ProviderError('internal', 'The provider broke off before the end of its answer', {})
}

const VENDORS: Readonly<Record<WireForm, Vendor>> = {
  anthropic: 'anthropic',
  'openai-chat': 'openai-compatible',
  'openai-responses': 'openai',
  google: 'google',
}

function outcomeOf({
  heard,
  status,
  failure,
}: {
  readonly heard: HeardAnswer
  readonly status: number | null
  readonly failure: ProviderError | null
}) {
  const { usage, words, ended, error } = heard
  return { usage, heard: words.join(''), ended: ended && error === null, status, failure }
}
