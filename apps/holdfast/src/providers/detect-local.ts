import type { HttpLimits } from '@holdfast/provider'
import type { ProviderSetup } from './provider-setup.ts'

type LocalSetup = Extract<ProviderSetup, { type: 'openai-chat' }>

/** Where servers listen that people run beside Holdfast. Nothing but this machine is ever looked at. */
const USUAL_PLACES = [
  { providerId: 'ollama', name: 'Ollama', vendor: 'ollama', baseUrl: 'http://127.0.0.1:11434' },
  { providerId: 'lm-studio', name: 'LM Studio', vendor: 'lm-studio', baseUrl: 'http://127.0.0.1:1234' },
] as const

/** Whether a provider of that id may be found by itself. */
export function isLocalProvider(providerId: string): boolean {
  return USUAL_PLACES.some((place) => place.providerId === providerId)
}

/** The setups of local servers that may be there; those that the operator set up under the same id are his. */
export function localSetups(setups: readonly ProviderSetup[], limits: HttpLimits): readonly LocalSetup[] {
  const taken = new Set(setups.map(({ providerId }) => providerId))
  return USUAL_PLACES.filter(({ providerId }) => !taken.has(providerId)).map((place) => {
    return { ...place, type: 'openai-chat', apiKey: null, headers: {}, models: null, limits }
  })
}
