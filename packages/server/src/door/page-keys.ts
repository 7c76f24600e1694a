import type { Clock } from '@holdfast/conversation'
import { PAGE_KEY_HEADER, PAGE_KEY_PROTOCOL, TICKET_PARAMETER } from '@holdfast/protocol'
import { isSame } from './credentials.ts'
import type { IncomingRequest } from './gate.ts'
import { keyedHash } from './start-up-token.ts'

/**
 * The keys that pages show beside their cookies. A browser sends a cookie to every port of its host, and so to programs
 * that have nothing to do with this server; what a page keeps in its storage stays with its port. [SEC19]
 */
export interface PageKeys {
  /** The key that belongs to a session. */
  keyOf(session: string): string
  /** Whether a request shows the key of the session that its cookie names, or a ticket made with it. */
  isShown(incoming: IncomingRequest, session: string): boolean
  /** What opens one address for a minute, in the place of the key. */
  ticketOf(session: string, target: string): string
}

/** How long a ticket is good, in milliseconds. */
const TICKET_MS = 60_000

/** Makes keys from a secret; nothing is kept. */
export function createPageKeys({
  secret,
  clock,
}: {
  /** Of this installation, as it is now: with another one every key is another. */
  readonly secret: () => string | Uint8Array
  readonly clock: Pick<Clock, 'now'>
}): PageKeys {
  const keyOf = (session: string): string => keyedHash(secret(), ['holdfast page key 1', session])
  const seal = (session: string, target: string, until: number): string =>
    keyedHash(keyOf(session), ['holdfast ticket 1', target, String(until)])

  function hasTicket({ method, target }: IncomingRequest, session: string): boolean {
    const [, asked, until, mac] = TICKETED.exec(target) ?? []
    if (method !== 'GET' || asked === undefined || until === undefined || mac === undefined) return false
    return Number(until) > clock.now() && isSame(mac, seal(session, asked, Number(until)))
  }

  return {
    keyOf,
    isShown(incoming, session) {
      const shown = shownKey(incoming)
      return shown === null ? hasTicket(incoming, session) : isSame(shown, keyOf(session))
    },
    ticketOf(session, target) {
      const until = clock.now() + TICKET_MS
      return `${until}.${seal(session, target, until)}`
    },
  }
}

/** An address with a ticket as its last query: what was asked for without it, until when it is good, and its seal. */
const TICKETED = new RegExp(`^(.*)[?&]${TICKET_PARAMETER}=(\\d{1,16})\\.([\\w-]+)$`)

function shownKey({ headers, isSocket }: IncomingRequest): string | null {
  const shown = headers[PAGE_KEY_HEADER]
  if (typeof shown === 'string') return shown
  if (!isSocket) return null
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
  const named = protocols.find((protocol) => protocol.startsWith(PAGE_KEY_PROTOCOL))
  return named === undefined ? null : named.slice(PAGE_KEY_PROTOCOL.length)
}
