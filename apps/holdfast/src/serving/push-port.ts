import { sha256 } from '@holdfast/engine/system'
import type { PushPort } from '@holdfast/server'
import type { Config } from '../config.ts'

/** A service that does not take a message in this time could not, in milliseconds. */
const LIMIT_MS = 15_000

/** How messages to browsers leave this machine. [SCHED26] */
export function pushPort({ pushServices, network }: Config, secret: Uint8Array) {
  const origin = network.publicUrl?.origin
  return {
    secret,
    sha256,
    services: pushServices,
    subject: origin?.startsWith('https:') ? origin : 'https://holdfast.invalid',
    async post({ url, headers, body }) {
      try {
        const signal = AbortSignal.timeout(LIMIT_MS)
        const answer = await fetch(url, {
          method: 'POST',
          headers,
          body: new Uint8Array(body),
          redirect: 'manual',
          signal,
        })
        await answer.body?.cancel()
        return answer.status
      } catch (error) {
        // Not reached, or not in time: asked again later.
        if (error instanceof TypeError || error instanceof DOMException) return 0
        throw error
      }
    },
  } satisfies PushPort & { readonly sha256: typeof sha256 }
}
