import { readHtml } from './html-reader.ts'
import { PageRefusal } from './page-address.ts'
import type { PageText } from './page-parts.ts'

/** What is known of a page besides its bytes. */
export interface PageSource {
  readonly contentType: string
  readonly url: URL
  readonly signal: AbortSignal
}

/** The text of what came, by its media type. @throws {PageRefusal} when it is no text. */
export async function textOfPage(bytes: Uint8Array, { contentType, url, signal }: PageSource): Promise<PageText> {
  const [mediaType = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const isHtml = mediaType === 'text/html' || mediaType === 'application/xhtml+xml'
  const isText =
    mediaType === '' || mediaType.startsWith('text/') || /[/+](?:json|xml|yaml|javascript)$/.test(mediaType)
  if (!isHtml && (!isText || bytes.subarray(0, 4_096).includes(0)))
    throw new PageRefusal(
      'unreadable',
      `${url.href} is ${mediaType || 'of no known type'}, ${bytes.byteLength} bytes: no text to read.`,
    )
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  const text = decoded(bytes, charset?.replace(/^"|"$/g, '') ?? (isHtml ? charsetIn(bytes) : undefined))
  return isHtml ? readHtml({ html: text, address: url.href }, signal) : { title: '', text }
}

function charsetIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1')
  return /<meta[^>]{0,200}charset\s{0,10}=\s{0,10}["']?([\w-]{1,40})/i.exec(head)?.[1]
}

function decoded(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes)
  } catch (error) {
    // A name that is no encoding; the replacement characters show what it was not.
    if (error instanceof RangeError) return new TextDecoder().decode(bytes)
    throw error
  }
}
