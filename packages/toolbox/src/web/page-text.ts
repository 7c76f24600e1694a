import { convert, type HtmlToTextOptions } from 'html-to-text'
import { PageRefusal } from './page-address.ts'

/** A page as text. */
export interface PageText {
  readonly title: string
  readonly text: string
}

const SKIPPED = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'nav', 'footer', 'form', 'button', 'img']
/** A main part with less text than this is taken for an empty shell, and the whole page is shown. */
const LEAST_MAIN_CHARS = 200

/** The text of what came, by its media type. @throws {PageRefusal} when it is no text. */
export function textOfPage(
  bytes: Uint8Array,
  { contentType, url }: { readonly contentType: string; readonly url: URL },
): PageText {
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
  return isHtml ? textOfHtml(text, url) : { title: '', text }
}

function textOfHtml(html: string, url: URL): PageText {
  const title = convert(html, { ...optionsFor(url), baseElements: { selectors: ['title'], returnDomByDefault: false } })
  const main = convert(html, { ...optionsFor(url), baseElements: { selectors: ['main'], returnDomByDefault: false } })
  const text =
    main.length >= LEAST_MAIN_CHARS
      ? main
      : convert(html, { ...optionsFor(url), baseElements: { selectors: ['body'] } })
  return { title: title.replace(/\s+/g, ' ').trim().slice(0, 300), text: text.trim() }
}

function optionsFor(url: URL): HtmlToTextOptions {
  return {
    wordwrap: false,
    // Deep and wide pages are made to exhaust a reader: what lies beyond is marked.
    limits: { maxDepth: 100, maxChildNodes: 10_000, maxBaseElements: 1, maxInputLength: 4_194_304, ellipsis: '[…]' },
    selectors: [
      ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      {
        selector: 'a',
        options: { baseUrl: url.href, ignoreHref: false, hideLinkHrefIfSameAsText: true, noAnchorUrl: true },
      },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: 60 } },
    ],
  }
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
