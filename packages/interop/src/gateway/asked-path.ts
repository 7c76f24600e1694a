import { endpointUrl } from '@holdfast/provider'
import type { WireForm } from '@holdfast/provider/tap'

/** Whose paths stand behind `/gateway/`. */
export const GATEWAY_VENDORS = ['anthropic', 'openai', 'google'] as const
export type GatewayVendor = (typeof GATEWAY_VENDORS)[number]

/** What a vendor's client asks for. */
export interface AskedPath {
  readonly form: WireForm
  /** Behind the version of the API, as the provider has it. */
  readonly path: string
  /** With its question mark, and without a key; empty for none. */
  readonly query: string
  /** Whether a model answers: then it is metered. Lists and counts cost nothing. */
  readonly isMetered: boolean
  /** The model, where the path names it. */
  readonly model: string | null
}

interface KnownPath {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  readonly form: WireForm
  readonly isMetered: boolean
}

const NAME = '[A-Za-z0-9][A-Za-z0-9._:@-]*'

/** All that is passed on. No path names another host or leaves its folder. [AGENT27] */
const PATHS: Readonly<Record<GatewayVendor, readonly KnownPath[]>> = {
  anthropic: [
    { method: 'POST', path: /^\/messages$/, form: 'anthropic', isMetered: true },
    { method: 'POST', path: /^\/messages\/count_tokens$/, form: 'anthropic', isMetered: false },
    { method: 'GET', path: new RegExp(`^/models(?:/${NAME})?$`), form: 'anthropic', isMetered: false },
  ],
  openai: [
    { method: 'POST', path: /^\/chat\/completions$/, form: 'openai-chat', isMetered: true },
    { method: 'POST', path: /^\/responses(?:\/compact)?$/, form: 'openai-responses', isMetered: true },
    { method: 'POST', path: /^\/responses\/input_tokens$/, form: 'openai-responses', isMetered: false },
    { method: 'GET', path: new RegExp(`^/models(?:/${NAME}(?:/${NAME})?)?$`), form: 'openai-chat', isMetered: false },
  ],
  google: [
    {
      method: 'POST',
      path: new RegExp(`^/models/(?<model>${NAME.replace(':', '')}):(?:generateContent|streamGenerateContent)$`),
      form: 'google',
      isMetered: true,
    },
    {
      method: 'POST',
      path: new RegExp(`^/models/${NAME.replace(':', '')}:countTokens$`),
      form: 'google',
      isMetered: false,
    },
    { method: 'GET', path: new RegExp(`^/models(?:/${NAME})?$`), form: 'google', isMetered: false },
  ],
}

/** Reads the target of a request behind its vendor; null for what is not passed on. */
export function readPath(vendor: GatewayVendor, method: string, target: string): AskedPath | null {
  const [bare = '', ...queries] = target.split('?')
  const path = bare.replace(/^\/v\d+(?:(?:alpha|beta)\d*)?(?=\/)/, '')
  for (const known of PATHS[vendor]) {
    const match = known.method === method ? known.path.exec(path) : null
    if (match === null) continue
    const { form, isMetered } = known
    return { form, path, query: withoutKey(queries.join('?')), isMetered, model: match.groups?.model ?? null }
  }
  return null
}

/** The address of a path of a provider. */
export function upstreamUrl(baseUrl: string, { form, path, query }: AskedPath): URL {
  if (form !== 'google') return new URL(`${endpointUrl(baseUrl, path)}${query}`)
  const base = new URL(baseUrl)
  base.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '')}${path}`
  return new URL(`${base.href}${query}`)
}

function withoutKey(query: string): string {
  const kept = query.split('&').filter((pair) => pair !== '' && !/^key(?:=|$)/i.test(decoded(pair)))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

function decoded(pair: string): string {
  return new URLSearchParams(pair).toString()
}
