import type { IncomingMessage } from 'node:http'
import type { Clock } from '@holdfast/conversation'
import { askAddress } from './ask-address.ts'
import { type AddressCheck, PageRefusal, readPageUrl } from './page-address.ts'

/** What is wanted of an address. */
export interface MediaWish {
  readonly url: string
  readonly kind: 'image' | 'audio' | 'video'
  /** The range of bytes, as HTTP writes it; null for all. */
  readonly range: string | null
  readonly signal: AbortSignal
}

/** What came: its bytes are read as they are wanted, and end where there are more than may be. */
export type OpenedMedia =
  | {
      readonly type: 'opened'
      readonly isPart: boolean
      readonly mediaType: string
      /** What the answer says of its length and range; null where it says nothing. */
      readonly sizeBytes: number | null
      readonly contentRange: string | null
      readonly content: AsyncIterable<Uint8Array>
    }
  | { readonly type: 'refused'; readonly text: string }

/** What it works with. */
export interface MediaPorts extends Omit<AddressCheck, 'signal'> {
  readonly clock: Pick<Clock, 'after'>
}

/** The most that comes of one, in bytes. [DEFAULTS] */
const MOST_BYTES = { image: 20_000_000, audio: 500_000_000, video: 500_000_000 } as const

/** An answer that is silent for longer is given up, in milliseconds. */
const SILENCE_MS = 30_000

const REDIRECTS = 10

/** What a browser draws or plays and nothing runs in, where it is served in a sandbox. */
const TYPES = {
  image: /^image\/[\w.+-]+$/,
  audio: /^(?:audio|video)\/[\w.+-]+$/,
  video: /^(?:audio|video)\/[\w.+-]+$/,
} as const

/** One range of bytes: several in one answer are of no use to a player. */
const RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

/**
 * Opens a picture, sound or film of the public internet, by the rules of web pages: checked addresses, no cookies, no
 * credentials, no referrer, and no other host than was named. [WS5, CANVAS8]
 */
export async function openMedia(wish: MediaWish, { clock, ...check }: MediaPorts): Promise<OpenedMedia> {
  const silence = new AbortController()
  const signal = AbortSignal.any([wish.signal, silence.signal])
  const cancel = clock.after(SILENCE_MS, () => silence.abort())
  try {
    const url = readPageUrl(wish.url)
    const { response } = await askAddress(url, {
      check: { ...check, signal },
      redirectCount: REDIRECTS,
      headers: headersOf(wish),
    })
    return opened(response, { wish, host: url.host, clock, silence })
  } catch (error) {
    if (error instanceof PageRefusal) return { type: 'refused', text: error.message }
    if (silence.signal.aborted) return { type: 'refused', text: `${wish.url} did not answer within ${SILENCE_MS} ms.` }
    throw error
  } finally {
    cancel()
  }
}

function headersOf({ kind, range }: MediaWish): Readonly<Record<string, string>> {
  return {
    'user-agent': 'Holdfast/0.1',
    accept: kind === 'image' ? 'image/*' : 'audio/*,video/*',
    // A range counts the bytes as they are.
    'accept-encoding': 'identity',
    ...(range !== null && RANGE.test(range) ? { range } : {}),
  }
}

interface Opening {
  readonly wish: MediaWish
  readonly host: string
  readonly clock: Pick<Clock, 'after'>
  /** Ends the connection when it fires. */
  readonly silence: AbortController
}

function opened(response: IncomingMessage, opening: Opening): OpenedMedia {
  const { kind } = opening.wish
  const status = response.statusCode ?? 0
  const mediaType = (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const sizeBytes = numberIn(/^(\d+)$/, response.headers['content-length'])
  const contentRange = status === 206 ? (response.headers['content-range'] ?? null) : null
  const wholeBytes = numberIn(/\/(\d+)$/, contentRange ?? undefined) ?? sizeBytes
  const refusal = refusalOf(opening, { status, mediaType, wholeBytes })
  if (refusal !== null) {
    response.destroy()
    return { type: 'refused', text: refusal }
  }
  const content = bounded(response, { limit: MOST_BYTES[kind], opening })
  return { type: 'opened', isPart: status === 206, mediaType, sizeBytes, contentRange, content }
}

function refusalOf(
  { wish, host }: Opening,
  answer: { readonly status: number; readonly mediaType: string; readonly wholeBytes: number | null },
): string | null {
  const { status, mediaType, wholeBytes } = answer
  if (status !== 200 && status !== 206) return `${host} answers with status ${status}.`
  if (!TYPES[wish.kind].test(mediaType))
    return `${host} gives ${mediaType.slice(0, 100) || 'no type'}, and no ${wish.kind}.`
  if (wholeBytes !== null && wholeBytes > MOST_BYTES[wish.kind])
    return `It has ${wholeBytes} bytes, and ${MOST_BYTES[wish.kind]} is the most.`
  return null
}

/** The bytes as they come, at most so many; each wait for the next has its limit. */
async function* bounded(
  response: IncomingMessage,
  { limit, opening }: { readonly limit: number; readonly opening: Opening },
): AsyncGenerator<Uint8Array> {
  const pieces = response[Symbol.asyncIterator]()
  let count = 0
  try {
    for (;;) {
      const cancel = opening.clock.after(SILENCE_MS, () => opening.silence.abort())
      const next = await pieces.next().finally(cancel)
      if (next.done) return
      const piece: unknown = next.value
      if (!(piece instanceof Uint8Array)) continue
      count += piece.byteLength
      if (count > limit) return
      yield piece
    }
  } finally {
    response.destroy()
  }
}

function numberIn(pattern: RegExp, text: string | undefined): number | null {
  const found = pattern.exec(text ?? '')?.[1]
  return found === undefined ? null : Number(found)
}
