import { cookieForFrame, cookiesOfPage } from './cookies.ts'
import { hostOf, originOf, type Target } from './target.ts'

/** Between whom headers go. */
export interface Ends {
  /** The preview's own origin, as browsers name it. */
  readonly origin: string
  readonly target: Pick<Target, 'port' | 'isSecure'>
}

/** Names and values in turn, as Node.js reads and writes them. */
export type RawHeaders = readonly string[]

/** Of one connection and not of what it carries (RFC 9110, 7.6.1), or told by the connection itself. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['upgrade', 'expect', 'http2-settings'],
])
/** What a proxy before this one says of the person's network, and what pages of the server send. */
const OF_OTHERS = /^(?:x-forwarded-.*|forwarded|x-real-ip|via|x-holdfast-.*|cf-.*|x-client-ip)$/
/** What only holds for a whole that is sent again later. */
const CONDITIONS: ReadonlySet<string> = new Set([
  ...['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'if-range', 'range'],
  'accept-encoding',
])
/** What would hold for the whole host name, or is said of bytes that are changed. */
const NOT_PASSED_BACK: ReadonlySet<string> = new Set(['strict-transport-security', 'alt-svc', 'x-frame-options'])
const OF_UNCHANGED_BYTES: ReadonlySet<string> = new Set([
  ...['content-length', 'content-encoding', 'content-md5', 'digest', 'repr-digest', 'content-digest'],
  ...['etag', 'last-modified', 'accept-ranges', 'cache-control', 'expires', 'pragma'],
])

/** The headers of a request as the target gets them. Nothing of the server's own is among them. [PREV1] */
export function headersToTarget(raw: RawHeaders, { origin, target }: Ends, { isDocument, isUpgrade }: Asked): string[] {
  const kept: string[] = ['host', hostOf(target)]
  const named = namedByConnection(raw)
  for (const [name, value] of pairs(raw)) {
    const lower = name.toLowerCase()
    if (lower === 'host' || OF_OTHERS.test(lower)) continue
    if (OF_CONNECTION.has(lower) || named.has(lower)) continue
    if (isDocument && CONDITIONS.has(lower)) continue
    const passed = toTarget(lower, value, { origin, target })
    if (passed !== null) kept.push(name, passed)
  }
  if (isDocument) kept.push('accept-encoding', 'identity')
  if (isUpgrade) kept.push('connection', 'Upgrade', 'upgrade', 'websocket')
  return kept
}

/** What a request is, for its headers. */
export interface Asked {
  /** Whether a page is asked for, that the script will be added to. */
  readonly isDocument: boolean
  readonly isUpgrade: boolean
}

/** The headers of an answer as the browser gets them. */
export function headersToBrowser(
  raw: RawHeaders,
  ends: Ends,
  { isChanged }: { readonly isChanged: boolean },
): string[] {
  const kept: string[] = []
  const named = namedByConnection(raw)
  for (const [name, value] of pairs(raw)) {
    const lower = name.toLowerCase()
    if (OF_CONNECTION.has(lower) || named.has(lower) || lower === 'transfer-encoding') continue
    if (NOT_PASSED_BACK.has(lower) || (isChanged && OF_UNCHANGED_BYTES.has(lower))) continue
    const passed = toBrowser(lower, value, ends)
    if (passed !== null) kept.push(name, passed)
  }
  if (isChanged) kept.push('cache-control', 'no-store')
  return kept
}

/** The values of one header. */
export function valuesOf(raw: RawHeaders, wanted: string): readonly string[] {
  return pairs(raw).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []))
}

/** Without one header. */
export function withoutHeader(raw: RawHeaders, unwanted: string): string[] {
  return pairs(raw).flatMap(([name, value]) => (name.toLowerCase() === unwanted ? [] : [name, value]))
}

function pairs(raw: RawHeaders): [string, string][] {
  const found: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) found.push([raw[at] ?? '', raw[at + 1] ?? ''])
  return found
}

function namedByConnection(raw: RawHeaders): ReadonlySet<string> {
  return new Set(
    valuesOf(raw, 'connection')
      .flatMap((value) => value.split(','))
      .map((name) => name.trim().toLowerCase()),
  )
}

function toTarget(name: string, value: string, { origin, target }: Ends): string | null {
  switch (name) {
    case 'cookie':
      return cookiesOfPage(value)
    case 'origin':
      return value === origin ? originOf(target) : value
    case 'referer':
      // What showed the preview is nobody's business there.
      return value === origin || value.startsWith(`${origin}/`) ? originOf(target) + value.slice(origin.length) : null
    default:
      return value
  }
}

function toBrowser(name: string, value: string, ends: Ends): string | null {
  switch (name) {
    case 'set-cookie':
      return cookieForFrame(value)
    case 'location':
    case 'refresh':
    case 'access-control-allow-origin':
      return ownAddress(value, ends)
    default:
      return value
  }
}

/** An address of the target under any of its names on this machine, as one of the preview. */
function ownAddress(value: string, { origin, target: { port } }: Ends): string {
  return value.replace(
    /\b(?:https?:)?\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):(\d{1,5})(?=$|[/?#;,\s])/gi,
    (whole, named: string) => (Number(named) === port ? origin : whole),
  )
}
