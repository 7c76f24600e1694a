import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The bearer token of a request, or null. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Takes the same time wherever the two differ. */
export function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(wanted).digest())
}
