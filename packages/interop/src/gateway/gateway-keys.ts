import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What a key opens: the gateway of one conversation, or its house tools, and nothing else. [SEC4] */
export interface OpenGateway {
  readonly conversationId: string
  readonly userId: string
  /** Aborted when its agent is gone. */
  readonly signal: AbortSignal
}

/** The keys that open gateways or house tools, by their hashes: none outlives its process. */
export interface GatewayKeys {
  make(of: Pick<OpenGateway, 'conversationId' | 'userId'>): { readonly key: string; readonly revoke: () => void }
  find(key: string): OpenGateway | null
}

/** Makes an empty set of keys, which begin with a word of their own. */
export function createGatewayKeys(mark: 'hfg' | 'hfh'): GatewayKeys {
  const open = new Map<string, OpenGateway>()
  return {
    make({ conversationId, userId }) {
      const key = `${mark}_${randomBytes(32).toString('base64url')}`
      const ending = new AbortController()
      open.set(hashOf(key), { conversationId, userId, signal: ending.signal })
      return {
        key,
        revoke() {
          open.delete(hashOf(key))
          ending.abort()
        },
      }
    },
    find: (key) => open.get(hashOf(key)) ?? null,
  }
}

/** The key where one of the vendors' clients puts it; null for none. */
export function keyIn(headers: IncomingHttpHeaders, query: string): string | null {
  const { authorization } = headers
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
  const given = [headers['x-api-key'], headers['x-goog-api-key'], headers['api-key'], bearer]
  const found = given.find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : new URLSearchParams(query).get('key')
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
