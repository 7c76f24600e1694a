import type { IncomingHttpHeaders } from 'node:http'

/** What is looked at of a request, before anybody knows who sent it. */
export interface Arriving {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly isUpgrade: boolean
}

/**
 * Why a request of another site is refused; null for one that may come in. A cookie alone opens nothing: a page of
 * somebody else can send one along. To go to a preview, by a link or in a frame, is no harm. [PREV1]
 */
export function refusalOfOrigin({ method, headers, isUpgrade }: Arriving, origin: string): string | null {
  const { origin: sender, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers
  const isVisit =
    !isUpgrade &&
    (method === 'GET' || method === 'HEAD') &&
    mode === 'navigate' &&
    (destination === 'document' || destination === 'iframe' || destination === 'frame')
  if (isVisit) return null
  if (sender !== undefined && sender !== origin) return `Pages of ${sender.slice(0, 200)} may not use this preview`
  if (isUpgrade && sender === undefined) return 'A socket has to name its origin'
  if (site === 'cross-site' || site === 'same-site') return 'Pages of other sites may not use this preview'
  return null
}
