import type { FastifyServerOptions } from 'fastify'
import { hostNames } from './addresses.ts'

/** How the server is reached where that is not just its own address. */
export interface Network {
  /** The address that people open; null where it is the one listened on. */
  readonly publicUrl: URL | null
  /** The path under which everything stands, such as `/x`; empty for none. */
  readonly basePath: string
  /** Further names under which the server is reached, with or without port. */
  readonly allowedHosts: readonly string[]
  /** The addresses and ranges of proxies whose X-Forwarded-For and -Proto are believed. [SEC2] */
  readonly trustedProxies: readonly string[]
}

/** Reached at its own address only. */
export const OWN_ADDRESS_ONLY: Network = { publicUrl: null, basePath: '', allowedHosts: [], trustedProxies: [] }

/** The options of the HTTP server that follow. A proxy may leave the base path on or take it off. */
export function serverOptions({
  basePath,
  trustedProxies,
}: Network): Pick<FastifyServerOptions, 'trustProxy' | 'rewriteUrl'> {
  return {
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    ...(basePath === '' ? {} : { rewriteUrl: ({ url }) => withoutBase(url ?? '/', basePath) }),
  }
}

/** The `host:port` pairs that the server answers to, in lower case. */
export function namesOf(
  network: Network,
  bound: { readonly host: string; readonly port: number },
): ReadonlySet<string> {
  const { publicUrl, allowedHosts } = network
  const further = allowedHosts.map((name) => name.toLowerCase())
  return new Set([
    ...hostNames(bound.host, bound.port),
    ...(publicUrl ? [publicUrl.host] : []),
    ...further,
    ...further.filter((name) => !/:\d+$/.test(name)).map((name) => `${name}:${bound.port}`),
  ])
}

function withoutBase(url: string, basePath: string): string {
  if (!url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url
}
