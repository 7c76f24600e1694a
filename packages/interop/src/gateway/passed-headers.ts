import type { IncomingHttpHeaders } from 'node:http'
import type { GatewayProvider } from './gateway-provider.ts'

type Headers = Record<string, string | string[]>

/** What holds for one line only, and is made anew for the next. */
const HOP =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect|forwarded|x-forwarded-.*|x-real-ip|via)$/

/** What says who asks: the key of the gateway, and whatever else a client sends along. */
const WHO = /^(?:authorization|x-api-key|x-goog-api-key|api-key|cookie|origin|referer)$/

/**
 * The head of a request as the provider gets it: who asks and what holds for one line are replaced, the rest stays. It is
 * asked for in clear, so that its figures can be read as they go by. [AGENT8]
 */
export function headersFor(
  { headers: own }: Pick<GatewayProvider, 'headers'>,
  { headers, sizeBytes }: { readonly headers: IncomingHttpHeaders; readonly sizeBytes: number | null },
): Headers {
  const kept = Object.entries(headers).filter(([name]) => !HOP.test(name) && !WHO.test(name))
  return {
    ...withValues(kept),
    ...own,
    'accept-encoding': 'identity',
    ...(sizeBytes === null ? {} : { 'content-length': String(sizeBytes) }),
  }
}

/** The head of an answer as the client gets it. */
export function headersBack(headers: IncomingHttpHeaders): Headers {
  const lasting = Object.entries(headers).filter(
    ([name]) => (name === 'content-length' || !HOP.test(name)) && name !== 'set-cookie',
  )
  return withValues(lasting)
}

function withValues(entries: readonly (readonly [string, string | string[] | undefined])[]): Headers {
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
