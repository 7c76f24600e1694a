import { asList, asRecord, asString, type JsonRecord, parseJson } from '../wire/json-reader.ts'

/** What a vendor's error says, whatever the shape in which it says it. */
export interface ErrorFacts {
  /** The vendor's own names of the error, in lower case, such as `rate_limit_error`. */
  readonly types: readonly string[]
  /** The vendor's words, for a person. */
  readonly message: string
  /** The whole body, for words that stand outside the message. */
  readonly body: string
  /** How long the body asks to wait, in milliseconds. */
  readonly retryDelayMs: number | null
}

/** More of a vendor's words than this is not kept. */
const MESSAGE_LIMIT = 1_000

/** Reads an error body: JSON in the shapes of all vendors, or text, or a page of some proxy. */
export function readErrorBody(bodyText: string): ErrorFacts {
  const parsed = parseJson(bodyText)
  const root = asRecord(Array.isArray(parsed) ? parsed[0] : parsed)
  if (!root) return { types: [], message: plainWords(bodyText), body: bodyText, retryDelayMs: null }
  const error = asRecord(root.error) ?? root
  const metadata = asRecord(error.metadata)
  const raw = asString(metadata?.raw)
  const message = wordsOf(root, error)
  return {
    types: [root.__type, root.code, error.type, error.code, error.status, error.param, metadata?.error_type].flatMap(
      (name) => (typeof name === 'string' ? [name.toLowerCase()] : []),
    ),
    message: (raw === null ? message : `${message}: ${raw}`).slice(0, MESSAGE_LIMIT),
    body: bodyText,
    retryDelayMs: retryInfo(error),
  }
}

function wordsOf(root: JsonRecord, error: JsonRecord): string {
  const words = asString(error.message) ?? asString(root.error) ?? asString(root.message) ?? asString(root.Message)
  return words ?? asString(root.detail) ?? JSON.stringify(root)
}

/** Google's `RetryInfo`, such as `{"retryDelay": "34.07s"}`. */
function retryInfo(error: JsonRecord): number | null {
  for (const detail of asList(error.details)) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(asString(asRecord(detail)?.retryDelay) ?? '')?.[1]
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000)
  }
  return null
}

function plainWords(body: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1]
  const isPage = /^\s*<(?:!doctype|html)/i.test(body)
  return (title ?? (isPage ? 'a web page' : body)).trim().slice(0, MESSAGE_LIMIT)
}
