import { classifyProviderError } from '../errors/classify-provider-error.ts'
import type { Vendor } from '../errors/error-rules.ts'
import { notAStream } from '../errors/not-a-stream.ts'
import { HTTP_LIMITS } from '../wire/http-limits.ts'

/**
 * A `fetch` for packages that only stream: a success whose body is a page or JSON becomes an error of its class. The
 * packages read such a body as a stream without events.
 *
 * @throws {ProviderError} when a success is no stream.
 */
export function createStreamFetch(vendor: Vendor): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok || !/\bjson\b|html/.test(type)) return response
    const bodyText = (await response.text()).slice(0, HTTP_LIMITS.bodyBytes)
    throw notAStream(
      classifyProviderError({ vendor, status: null, bodyText, headers: {}, nowMs: Date.now() }),
      response.status,
      type,
    )
  }
}
