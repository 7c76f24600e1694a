import type { ModelPrice } from '@holdfast/provider'
import type { WireForm } from '@holdfast/provider/tap'

/** A provider as requests are passed on to it. */
export interface GatewayProvider {
  readonly providerId: string
  /** For people. */
  readonly name: string
  /** What it speaks; an OpenAI server that is asked in one of its forms may speak the other too. */
  readonly forms: readonly WireForm[]
  /** With or without its version. */
  readonly baseUrl: string
  /** Its key and what else the operator sends with every request; names in lower case. No agent sees them. [SEC4] */
  readonly headers: Readonly<Record<string, string>>
  /** What is known of a model by the provider's own name for it. */
  readonly modelOf: (name: string) => GatewayModel
}

/** A model as the ledger names it. */
export interface GatewayModel {
  readonly modelId: string
  readonly price: ModelPrice | null
  readonly maxOutputTokens: number | null
}

/** The provider that a request goes to, or why there is none. */
export type ChosenProvider =
  | { readonly type: 'found'; readonly provider: GatewayProvider }
  | { readonly type: 'missing'; readonly reason: string }

/**
 * That of the conversation's model where it speaks the form of the path, else the first that does. Nothing is turned from
 * one form into another. [AGENT26]
 */
export function chooseProvider(
  providers: readonly GatewayProvider[],
  { form, modelId }: { readonly form: WireForm; readonly modelId: string | null },
): ChosenProvider {
  const fitting = providers.filter(({ forms }) => forms.includes(form))
  const own = fitting.find(({ providerId }) => modelId?.startsWith(`${providerId}/`) === true)
  const provider = own ?? fitting[0]
  if (provider) return { type: 'found', provider }
  const there = providers.map(({ name, forms }) => `${name} (${forms.join(', ')})`)
  const others = there.length === 0 ? 'none is set up' : `there is ${there.join('; ')}`
  return {
    type: 'missing',
    reason: `No provider speaks ${form}: ${others}. Add one in the settings, or point the agent at the path of one that is there`,
  }
}
