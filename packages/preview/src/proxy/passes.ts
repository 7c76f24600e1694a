import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'

/** What lets browsers into previews: a ticket, good once, and the cookie that it is exchanged for. [PREV1] */
export interface Passes {
  /** Lets who has it into one preview, once, within a minute. `visitor` says who asked, in words of whoever judges them. */
  ticketFor(asked: Entry & { readonly path: string }): string
  /** What a ticket was made for; null for one that is used, too old or none. */
  redeem(ticket: string): (Entry & { readonly path: string }) | null
  /** The value of a cookie. */
  cookieFor(entry: Entry): string
  /** Whom a cookie lets in, and into which preview; null for one that was not made here or is too old. */
  read(cookie: string): Entry | null
}

/** Who is let in, and where. */
export interface Entry {
  readonly previewId: string
  readonly visitor: string
}

const TICKET_MS = 60_000
const COOKIE_MS = 24 * 3_600_000
const MOST_TICKETS = 1_000

/** Cookies hold over a restart, tickets do not. */
export function createPasses({
  secret,
  clock,
}: {
  readonly secret: Uint8Array
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
}): Passes {
  const tickets = new Map<string, Entry & { readonly path: string; readonly until: number }>()
  const sealOf = (text: string): Buffer =>
    createHmac('sha256', secret).update(`holdfast preview cookie 1\n${text}`).digest()

  return {
    ticketFor(asked) {
      const ticket = randomBytes(24).toString('base64url')
      const now = clock.monotonicMs()
      for (const [old, { until }] of tickets) if (until <= now || tickets.size >= MOST_TICKETS) tickets.delete(old)
      tickets.set(ticket, { ...asked, until: now + TICKET_MS })
      return ticket
    },
    redeem(ticket) {
      const found = tickets.get(ticket)
      tickets.delete(ticket)
      if (found === undefined || found.until <= clock.monotonicMs()) return null
      const { previewId, visitor, path } = found
      return { previewId, visitor, path }
    },
    cookieFor({ previewId, visitor }) {
      const text = Buffer.from(JSON.stringify([previewId, visitor, clock.now() + COOKIE_MS])).toString('base64url')
      return `${text}.${sealOf(text).toString('base64url')}`
    },
    read(cookie) {
      const [text, seal, ...more] = cookie.split('.')
      if (text === undefined || seal === undefined || more.length > 0) return null
      const given = Buffer.from(seal, 'base64url')
      const right = sealOf(text)
      if (given.byteLength !== right.byteLength || !timingSafeEqual(given, right)) return null
      const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
      if (!Array.isArray(read)) return null
      const [previewId, visitor, until] = read
      if (typeof previewId !== 'string' || typeof visitor !== 'string' || typeof until !== 'number') return null
      return until > clock.now() ? { previewId, visitor } : null
    },
  }
}
