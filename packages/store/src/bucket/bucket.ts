import { createHash } from 'node:crypto'
import { StoreReadError, StoreWriteError } from '@holdfast/conversation'
import { AwsClient } from 'aws4fetch'
import { type BucketFailure, failureOfAnswer, failureOfRequest } from './bucket-failures.ts'

/** Where a bucket is and what opens it. Plain data, so that it can go to a thread. */
export interface BucketOptions {
  readonly name: string
  /** Base address of the service, without the bucket. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Whether the bucket's name stands in the path and not before the host. */
  readonly pathStyle: boolean
  /** What all keys begin with: empty, or one that ends with a slash. */
  readonly prefix: string
}

/** The place of one piece: the object of a content, and the number of the piece in it, from 0. */
export interface PiecePlace {
  readonly objectId: string
  readonly piece: number
}

/** An S3-compatible bucket that keeps contents in pieces, each an object that is written once and never changed. */
export interface Bucket {
  /** The bucket and its address, for messages. */
  readonly described: string

  /** Keeps a piece; durable when it resolves. @throws {StoreWriteError} when the bucket refused or is away. */
  write(place: PiecePlace, bytes: Uint8Array): Promise<void>

  /**
   * A piece as it was written; null when it is gone or is not what was written.
   *
   * @throws {StoreReadError} when the bucket refused or is away: nothing is known about the piece then.
   */
  read(place: PiecePlace): Promise<Uint8Array | null>

  /** Removes all pieces of a content; there may be none. @throws {StoreWriteError} when the bucket refused or is away. */
  remove(objectId: string): Promise<void>

  /** Looks whether the bucket is there and may be read. @throws {StoreReadError} when it is not. */
  look(): Promise<void>
}

/** How long one request may take, with what is tried again, in milliseconds. */
const REQUEST_MS = 30_000

/** How often a request is tried again that the service could not answer just then. */
const RETRIES = 2
const FIRST_RETRY_MS = 100

/** What everybody is told of a bucket that refuses or is away. */
const AWAY = 'The bucket that keeps contents did not answer as it should.'

/** What a piece's hash is kept under, beside the piece. */
const HASH_HEADER = 'x-amz-meta-sha256'

/** The bucket at an address. Nothing is asked of it yet. */
export function createBucket(options: BucketOptions): Bucket {
  const { name, endpoint, region, accessKeyId, secretAccessKey, prefix } = options
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    retries: RETRIES,
    initRetryMs: FIRST_RETRY_MS,
  })
  const described = `Bucket "${name}" at ${new URL(endpoint).host}`
  const base = baseOf(options)
  const keyOf = ({ objectId, piece }: PiecePlace): string => `${prefix}${objectId}/${piece}`

  const ask = async (address: string, request: BucketRequest): Promise<Response | BucketFailure> => {
    const { method, headers, body } = request
    const signal = AbortSignal.timeout(REQUEST_MS)
    try {
      const answer = await client.fetch(address, { method, headers: headers ?? {}, body: body ?? null, signal })
      if (answer.ok || (answer.status === 404 && request.mayBeMissing === true)) return answer
      return failureOfAnswer(answer.status, await answer.text())
    } catch (error) {
      return failureOfRequest(error)
    }
  }
  const written = async (address: string, request: BucketRequest): Promise<Response> => {
    const answer = await ask(address, request)
    if (answer instanceof Response) return answer
    const words = `${described} ${answer.what}. The write is not acknowledged; try it again`
    throw new StoreWriteError(answer.code, words, { cause: answer.cause, told: AWAY })
  }
  const found = async (address: string, request: BucketRequest): Promise<Response> => {
    const answer = await ask(address, request)
    if (answer instanceof Response) return answer
    throw new StoreReadError(`${described} ${answer.what}. Nothing is known about what it holds; try again`, {
      cause: answer.cause,
      told: AWAY,
    })
  }
  const listing = (wanted: string, most: number): string =>
    `${base}?list-type=2&max-keys=${most}&prefix=${encodeURIComponent(wanted)}`

  return {
    described,
    async write(place, bytes) {
      const hash = sha256(bytes)
      const headers = { 'x-amz-content-sha256': hash, [HASH_HEADER]: hash, 'content-type': 'application/octet-stream' }
      const answer = await written(`${base}${keyOf(place)}`, { method: 'PUT', headers, body: Uint8Array.from(bytes) })
      await answer.arrayBuffer()
    },
    async read(place) {
      const answer = await found(`${base}${keyOf(place)}`, { method: 'GET', mayBeMissing: true })
      const bytes = await bodyOf(answer, described)
      const isIntact = answer.ok && answer.headers.get(HASH_HEADER) === sha256(bytes)
      return isIntact ? bytes : null
    },
    async remove(objectId) {
      for (;;) {
        const listed = await written(listing(`${prefix}${objectId}/`, LISTED_AT_ONCE), { method: 'GET' })
        const pieces = piecesListed(await listed.text(), `${prefix}${objectId}/`)
        if (pieces.length === 0) return
        for (const piece of pieces) {
          const answer = await written(`${base}${keyOf({ objectId, piece })}`, { method: 'DELETE', mayBeMissing: true })
          await answer.arrayBuffer()
        }
      }
    },
    async look() {
      const answer = await found(listing(prefix, 1), { method: 'GET' })
      await answer.arrayBuffer()
    },
  }
}

interface BucketRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** Whether 404 is an answer and no failure. */
  readonly mayBeMissing?: true
}

const LISTED_AT_ONCE = 1_000

function baseOf({ endpoint, name, pathStyle }: BucketOptions): string {
  const url = new URL(endpoint)
  if (!pathStyle) url.hostname = `${name}.${url.hostname}`
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`
  return `${url.origin}${path}${pathStyle ? `${name}/` : ''}`
}

/** The numbers of the pieces that a listing names. Keys are of our making: nothing in them is written another way in XML. */
function piecesListed(xml: string, prefix: string): readonly number[] {
  return [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].flatMap(([, key]) => {
    const piece = key?.startsWith(prefix) ? key.slice(prefix.length) : ''
    return /^\d+$/.test(piece) ? [Number(piece)] : []
  })
}

/** A body that breaks off is a failure of the bucket, and says nothing about the piece. */
async function bodyOf(answer: Response, described: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await answer.arrayBuffer())
  } catch (error) {
    const { what, cause } = failureOfRequest(error)
    throw new StoreReadError(`${described} ${what}. Nothing is known about what it holds; try again`, { cause })
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
