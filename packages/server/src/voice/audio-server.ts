import { VOICE_LIMITS } from '@holdfast/protocol'
import * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import { type AudioServerSetup, LOST_KEY } from './voice-setup.ts'

/** Asks an address over HTTP, as `fetch` does. */
export type AskHttp = (url: string, request: RequestInit) => Promise<Response>

/** What is to be said. */
export interface SpeechWish {
  readonly text: string
  readonly voice: string | null
  readonly speed: number
}

/** What is to be written down. */
export interface TranscriptionWish {
  readonly audio: Uint8Array<ArrayBuffer>
  /** Its media type. */
  readonly type: string
  /** Null where nobody says which. */
  readonly language: string | null
}

/** The sound of a text, as it comes. */
export interface Spoken {
  readonly mediaType: string
  readonly content: AsyncIterable<Uint8Array>
}

/** The longest that a request takes, in milliseconds. */
const LONGEST_MS = 60_000
const LATE = `did not answer within ${LONGEST_MS / 1_000} s`
const MOST_ERROR_CHARS = 300
const MOST_JSON_BYTES = 1_000_000

/** Speaks by an audio server of OpenAI's form. @throws {RefusedError} in words, for all that can go wrong. [VOICE3] */
export async function speakBy(
  ask: AskHttp,
  server: AudioServerSetup,
  { text, voice, speed, signal }: SpeechWish & { readonly signal: AbortSignal },
): Promise<Spoken> {
  if (server.speechModel === null) throw new RefusedError(409, 'no-voice', 'The audio server has no model that speaks')
  const body = JSON.stringify({
    model: server.speechModel,
    input: text,
    voice: voice ?? server.voice,
    speed,
    response_format: 'mp3',
  })
  const answer = await asked(ask, server, {
    path: '/audio/speech',
    request: { body, headers: { 'content-type': 'application/json' } },
    signal,
  })
  const mediaType = typeOf(answer)
  if (!/^audio\/[\w.+-]+$/.test(mediaType) && mediaType !== 'application/octet-stream')
    throw await failed(
      answer,
      `answered with ${mediaType === '' ? 'nothing of a known type' : mediaType}, which is no sound`,
    )
  return { mediaType, content: audible(bounded(answer, VOICE_LIMITS.spokenBytes)) }
}

/** @throws {RefusedError} where nothing comes. */
async function* audible(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true
  for await (const piece of content) {
    if (piece.byteLength > 0) isEmpty = false
    yield piece
  }
  if (isEmpty) throw failure('answered with a sound of no length')
}

const Transcription = z.object({ text: z.string() })

/** Writes down what a recording says. @throws {RefusedError} in words, for all that can go wrong. [VOICE3] */
export async function transcribeBy(
  ask: AskHttp,
  server: AudioServerSetup,
  { audio, type, language, signal }: TranscriptionWish & { readonly signal: AbortSignal },
): Promise<string> {
  const { transcriptionModel } = server
  if (transcriptionModel === null) throw new RefusedError(409, 'no-voice', 'The audio server has no model that listens')
  const form = new FormData()
  form.set('file', new Blob([audio], { type }), `dictation.${endingOf(type)}`)
  form.set('model', transcriptionModel)
  form.set('response_format', 'json')
  if (language !== null) form.set('language', language)
  const answer = await asked(ask, server, { path: '/audio/transcriptions', request: { body: form }, signal })
  const mediaType = typeOf(answer)
  const bytes = await wholeOf(answer)
  const read = mediaType === 'application/json' ? Transcription.safeParse(parsed(bytes)) : null
  if (read?.success) return read.data.text.trim()
  throw failure(`answered with ${mediaType === '' ? 'nothing of a known type' : mediaType}, which is no transcription`)
}

async function asked(
  ask: AskHttp,
  { baseUrl, apiKey, isKeyLost }: AudioServerSetup,
  { path, request, signal }: { readonly path: string; readonly request: RequestInit; readonly signal: AbortSignal },
): Promise<Response> {
  if (isKeyLost) throw new RefusedError(503, 'voice-failed', LOST_KEY)
  const limit = AbortSignal.timeout(LONGEST_MS)
  const headers = { ...request.headers, ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) }
  try {
    const answer = await ask(`${withVersion(baseUrl)}${path}`, {
      ...request,
      method: 'POST',
      headers,
      // A key goes to the address that it was given for, and to no other.
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    })
    if (answer.ok) return answer
    throw await failed(answer, await refusalWords(answer, apiKey))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (limit.aborted) throw failure(LATE)
    if (!(error instanceof TypeError)) throw error
    throw failure(`cannot be reached (${causeOf(error)})`)
  }
}

/** An address may be given with its version or without. */
function withVersion(baseUrl: string): string {
  const bare = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl
  return new URL(bare).pathname === '/' ? `${bare}/v1` : bare
}

async function refusalWords(answer: Response, apiKey: string | null): Promise<string> {
  const { status } = answer
  if (status >= 300 && status < 400) return `leads elsewhere (${status}); give the address that it has now`
  if (status === 401 || status === 403) return `refused its key (${status}); give it another one`
  if (status === 429) return 'takes no more requests for now (429)'
  const words = messageIn(await wholeOf(answer).catch(() => Buffer.alloc(0)))
  // Hidden before it is cut: a part of a key is a part of a key.
  const shown = (apiKey === null ? words : words.replaceAll(apiKey, '…')).slice(0, MOST_ERROR_CHARS)
  return `answered with ${status}${shown === '' ? '' : `: ${shown}`}`
}

/** The words of an error where they have OpenAI's form. What else a server prints, such as what it was sent, is shown to nobody. */
function messageIn(bytes: Buffer): string {
  const read = z.object({ error: z.object({ message: z.string() }) }).safeParse(parsed(bytes))
  return read.success ? read.data.error.message.replaceAll(/\s+/g, ' ').trim() : ''
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function causeOf({ cause, message }: TypeError): string {
  if (!(cause instanceof Error)) return message
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

/** The rest of it is not wanted. */
async function failed(answer: Response, words: string): Promise<RefusedError> {
  await answer.body?.cancel().catch(() => {})
  return failure(words)
}

function failure(words: string): RefusedError {
  return new RefusedError(503, 'voice-failed', `The audio server ${words}`)
}

function typeOf({ headers }: Response): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

async function* bounded({ body }: Response, mostBytes: number): AsyncIterable<Uint8Array> {
  if (body === null) return
  let bytes = 0
  try {
    for await (const piece of body) {
      bytes += piece.byteLength
      if (bytes > mostBytes) throw failure(`sent more than ${mostBytes} bytes`)
      yield piece
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw failure(LATE)
    if (error instanceof TypeError) throw failure(`broke off its answer (${causeOf(error)})`)
    throw error
  }
}

async function wholeOf(answer: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of bounded(answer, MOST_JSON_BYTES)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Servers tell what a file is by the end of its name. */
function endingOf(type: string): string {
  if (type.includes('webm')) return 'webm'
  if (type.includes('ogg')) return 'ogg'
  if (type.includes('mp4') || type.includes('m4a') || type.includes('aac')) return 'm4a'
  return type.includes('mpeg') ? 'mp3' : 'wav'
}
