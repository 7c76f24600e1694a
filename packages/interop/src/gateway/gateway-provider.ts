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
  /** Whether it is known to have a model of this name. */
  readonly lists: (name: string) => boolean
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
 * Of those that speak the form of the path one that has the model which is asked for, so that no words go to another than the
 * one whose model was chosen; where none is known to have it, any. Of several that of the conversation's model, else the first.
 * Nothing is turned from one form into another. [AGENT26, AGENT40]
 */
export function chooseProvider(
  providers: readonly GatewayProvider[],
  {
    form,
    asked,
    modelId,
  }: {
    readonly form: WireForm
    /** The model that the request names; null for none. */
    readonly asked: string | null
    readonly modelId: string | null
  },
): ChosenProvider {
  const speaking = providers.filter(({ forms }) => forms.includes(form))
  const listing = asked === null ? [] : speaking.filter(({ lists }) => lists(asked))
  const fitting = listing.length === 0 ? speaking : listing
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
