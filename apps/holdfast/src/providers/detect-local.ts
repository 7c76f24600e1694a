import { type HttpLimits, isLoopback } from '@holdfast/provider'
import type { ProviderSetup } from './provider-setup.ts'

type LocalSetup = Extract<ProviderSetup, { type: 'openai-chat' }>

/** A server on this machine that counts only if it answers. */
export interface LocalServer {
  readonly setup: ProviderSetup
  /** Whom its list of models names as their owner; null where nothing else uses its port. Others listen at 8080 and 8000. */
  readonly owner: string | null
}

interface LocalPlace {
  readonly providerId: string
  readonly name: string
  readonly vendor: LocalSetup['vendor']
  readonly baseUrl: string
  readonly owner: string | null
}

const OLLAMA_PORT = '11434'

/** Where servers listen that people run beside Holdfast. Nothing but this machine is ever looked at. */
const USUAL_PLACES = [
  {
    providerId: 'ollama',
    name: 'Ollama',
    vendor: 'ollama',
    baseUrl: `http://127.0.0.1:${OLLAMA_PORT}`,
    owner: null,
  },
  { providerId: 'lm-studio', name: 'LM Studio', vendor: 'lm-studio', baseUrl: 'http://127.0.0.1:1234', owner: null },
  {
    providerId: 'llama-cpp',
    name: 'llama.cpp',
    vendor: 'llama-cpp',
    baseUrl: 'http://127.0.0.1:8080',
    owner: 'llamacpp',
  },
  { providerId: 'vllm', name: 'vLLM', vendor: 'vllm', baseUrl: 'http://127.0.0.1:8000', owner: 'vllm' },
] as const satisfies readonly LocalPlace[]

/** Whether a provider of that id may be found by itself. */
export function isLocalProvider(providerId: string): boolean {
  return USUAL_PLACES.some((place) => place.providerId === providerId)
}

/**
 * The local servers that may be there; what the operator set up, by its id or its address, is his. `ollamaHost` is
 * Ollama's own variable: where it names another machine, nobody is looked for there.
 */
export function localServers(
  setups: readonly ProviderSetup[],
  { limits, ollamaHost }: { readonly limits: HttpLimits; readonly ollamaHost: string | null },
): readonly LocalServer[] {
  const ids = new Set(setups.map(({ providerId }) => providerId))
  const hosts = new Set(setups.flatMap(({ baseUrl }) => (baseUrl === null ? [] : [hostOf(baseUrl)])))
  return USUAL_PLACES.map((place) => ({ ...place, baseUrl: placeOf(place, ollamaHost) })).flatMap(
    ({ owner, ...place }) => {
      if (ids.has(place.providerId) || hosts.has(hostOf(place.baseUrl))) return []
      return [{ owner, setup: { ...place, type: 'openai-chat', apiKey: null, headers: {}, models: null, limits } }]
    },
  )
}

function placeOf({ providerId, baseUrl }: LocalPlace, ollamaHost: string | null): string {
  return (providerId === 'ollama' && ollamaHost !== null ? loopbackUrl(ollamaHost) : null) ?? baseUrl
}

/** An address as Ollama takes it: `0.0.0.0`, `127.0.0.1:11500`, `http://localhost:11500`. Null where it is no address of this machine. */
function loopbackUrl(host: string): string | null {
  const url = URL.parse(host.includes('://') ? host : `http://${host}`)
  if (url === null) return null
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
  if (url.port === '') url.port = OLLAMA_PORT
  return isLoopback(url.origin) ? url.origin : null
}

/** Two names of this machine with one port are one place. */
function hostOf(address: string): string | null {
  const url = URL.parse(address)
  if (url === null) return null
  return isLoopback(address) ? `127.0.0.1:${url.port}` : url.host
}
