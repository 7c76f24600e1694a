import type { ExternalAgentChoices, ExternalAgentRow, ExternalAgentTest, routes } from '@holdfast/protocol'
import type * as z from 'zod'

/** What an external agent is added with. */
export type AddedExternalAgent = z.infer<(typeof routes)['addExternalAgent']['body']>

/** What is changed of one. */
export type ExternalAgentChanges = z.infer<(typeof routes)['changeExternalAgent']['body']>

/**
 * The external agents of the installation. An implementer keeps the values of variables encrypted and gives none back,
 * installs nothing, starts nothing but for a test, and refuses with a `RefusedError` what cannot be done. [AGENT45, SEC4]
 */
export interface ExternalAgentDirectory {
  list(): readonly ExternalAgentRow[]
  add(asked: AddedExternalAgent): Promise<ExternalAgentRow>
  change(id: string, asked: ExternalAgentChanges): Promise<ExternalAgentRow>
  /** A known agent is again as it is known. */
  remove(id: string): Promise<void>
  /** Starts it, opens a session and ends it with all that it started; when the signal aborts at the latest. [AGENT47] */
  test(id: string, signal: AbortSignal): Promise<ExternalAgentTest>
  /** What can be chosen of one where this one pays; null for who pays where nobody chose. [AGENT55] */
  choices(
    id: string,
    asked: { readonly paidBy: ExternalAgentChoices['paidBy'] | null; readonly signal: AbortSignal },
  ): Promise<ExternalAgentChoices>
}
