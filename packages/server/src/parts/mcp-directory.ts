import type { McpServerRow, Role, routes } from '@holdfast/protocol'
import type * as z from 'zod'

type AnswerOf<Name extends 'readMcpLog' | 'listMcpMaterial' | 'completeMcpValue' | 'readMcpPrompt'> = z.infer<
  (typeof routes)[Name]['answers'][200]
>

/**
 * The MCP servers of the installation. An implementer starts no process but those of the operator's file, shows no
 * value of a variable or header, and refuses with a `RefusedError` what cannot be done. [SEC4]
 */
export interface McpDirectory {
  list(): readonly McpServerRow[]
  switchTo(name: string, on: boolean): Promise<McpServerRow>
  restart(name: string): McpServerRow
  /** Takes an offer for accepted, by its hash; refuses when the server offers something else by now. */
  accept(name: string, offerHash: string): Promise<McpServerRow>
  log(name: string): AnswerOf<'readMcpLog'>
  material(name: string, signal: AbortSignal): Promise<AnswerOf<'listMcpMaterial'>>
  resource(name: string, uri: string, signal: AbortSignal): Promise<string>
  /** What the server proposes for a value that is being written. */
  complete(
    name: string,
    asked: Omit<z.infer<(typeof routes)['completeMcpValue']['body']>, 'server'>,
    signal: AbortSignal,
  ): Promise<AnswerOf<'completeMcpValue'>>
  prompt(
    name: string,
    asked: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<AnswerOf<'readMcpPrompt'>>
  /** Whether somebody may use what the server gives: a sign-in is for admins, unless the operator's file shares it. [SEC23] */
  isOpenTo(name: string, role: Role): boolean
  /** Where the session signs in that asks; refuses where no sign-in is wanted. [SEC23] */
  beginSignIn(name: string, session: string): string
  /**
   * Ends the sign-in that the callback answers, of the session that began it, and refuses that of any other. [SEC23]
   *
   * @returns the server's name, or null when it answers none.
   */
  endSignIn(callback: URLSearchParams, who: { readonly session: string; readonly name: string }): Promise<string | null>
}
