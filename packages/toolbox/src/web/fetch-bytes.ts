import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { systemCode } from '../workspace/file-refusal.ts'
import { askAddress } from './ask-address.ts'
import { type AddressCheck, PageRefusal } from './page-address.ts'

/** How much is fetched. */
export interface FetchLimits {
  /** Bytes on the line, and bytes when unpacked: of more, the rest is left. */
  readonly sizeBytes: number
  readonly redirectCount: number
}

/** What came. */
export interface FetchedBytes {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  readonly contentType: string
  readonly bytes: Buffer
  /** Whether there was more than the limit. */
  readonly isCut: boolean
}

const HEADERS = {
  'user-agent': 'Holdfast/0.1',
  accept: 'text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.9,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
}

/**
 * Fetches a page, by the rules of `askAddress`. [WS5]
 *
 * @throws {PageRefusal} when it may not be fetched or did not answer.
 */
export async function fetchBytes(
  start: URL,
  { check, limits }: { readonly check: AddressCheck; readonly limits: FetchLimits },
): Promise<FetchedBytes> {
  const { url, response } = await askAddress(start, { check, redirectCount: limits.redirectCount, headers: HEADERS })
  const { bytes, isCut } = await readBody(response, { url, limits, signal: check.signal })
  const contentType = response.headers['content-type'] ?? ''
  return { url, status: response.statusCode ?? 0, contentType, bytes, isCut }
}

async function readBody(
  response: IncomingMessage,
  { url, limits, signal }: { readonly url: URL; readonly limits: FetchLimits; readonly signal: AbortSignal },
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const unpacked = unpack(response, url)
  const pieces: Buffer[] = []
  let count = 0
  let lineBytes = 0
  response.on('data', (piece: Buffer) => {
    lineBytes += piece.byteLength
  })
  try {
    for await (const piece of unpacked) {
      if (!Buffer.isBuffer(piece)) continue
      pieces.push(piece)
      count += piece.byteLength
      if (count > limits.sizeBytes || lineBytes > limits.sizeBytes) break
    }
  } catch (error) {
    signal.throwIfAborted()
    const code = systemCode(error) ?? (error instanceof Error && 'code' in error ? String(error.code) : null)
    if (code === null) throw error
    throw new PageRefusal('unreadable', `The answer of ${url.host} cannot be read: ${code}.`, { cause: error })
  } finally {
    response.destroy()
    unpacked.destroy()
  }
  return { bytes: Buffer.concat(pieces).subarray(0, limits.sizeBytes), isCut: count > limits.sizeBytes }
}

/** The stream without its packing; small steps, so that a bomb is noticed at its first megabyte. */
function unpack(response: IncomingMessage, url: URL): Readable {
  const packing = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const options = { chunkSize: 65_536 }
  const unpacker =
    packing === 'gzip' || packing === 'x-gzip'
      ? createGunzip(options)
      : packing === 'deflate'
        ? createInflate(options)
        : packing === 'br'
          ? createBrotliDecompress(options)
          : null
  if (unpacker === null) {
    if (packing === 'identity' || packing === '') return response
    response.destroy()
    throw new PageRefusal('unreadable', `${url.host} answers in a packing that was not asked for.`)
  }
  response.on('error', (error) => unpacker.destroy(error))
  return response.pipe(unpacker)
}
