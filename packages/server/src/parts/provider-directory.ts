import type { ProviderSetting, ProviderTest, routes } from '@holdfast/protocol'
import type * as z from 'zod'

/** What a provider is added with. */
export type AddedProvider = z.infer<(typeof routes)['addProvider']['body']>

/** What is changed of one. */
export type ProviderChanges = z.infer<(typeof routes)['changeProvider']['body']>

/**
 * The providers of the installation. An implementer keeps keys encrypted, gives back nothing of them but their last
 * four characters, and refuses with a `RefusedError` what cannot be done. [SEC4]
 */
export interface ProviderDirectory {
  list(): readonly ProviderSetting[]
  /** Looks again for servers of this machine that did not answer, or had no model. Ends within seconds. */
  look(): Promise<void>
  add(asked: AddedProvider): Promise<ProviderSetting>
  change(providerId: string, asked: ProviderChanges): Promise<ProviderSetting>
  remove(providerId: string): Promise<void>
  /** Asks the provider for its models, for a few words and for a tool call. Ends when the signal aborts. */
  test(providerId: string, signal: AbortSignal): Promise<ProviderTest>
}
