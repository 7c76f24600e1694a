import type { RefusedTool } from './offered-tool.ts'
import type { OfferChange } from './pins.ts'
import type { SignInHolder } from './sign-in.ts'

/** What a server is doing. Times in milliseconds since the Unix epoch. */
export type McpServerState =
  | { readonly type: 'off' }
  | { readonly type: 'connecting'; readonly attempt: number }
  | { readonly type: 'connected'; readonly since: number; readonly protocolVersion: string | null }
  /** It failed and is tried again; `attempt` is the next one. */
  | { readonly type: 'waiting'; readonly attempt: number; readonly until: number }
  /** A person has to sign in at the address; null where the server names none. */
  | { readonly type: 'needs-sign-in'; readonly url: string | null }

/** All that is shown of a server. */
export interface McpServerStatus {
  readonly name: string
  /** How it is reached: the exact command, or the address. No value of a variable or header is in it. [SEC4] */
  readonly reach: string
  readonly state: McpServerState
  /** What the server calls itself. */
  readonly title: string | null
  readonly toolCount: number
  readonly instructions: string | null
  readonly refused: readonly RefusedTool[]
  /** What waits for somebody to accept it. */
  readonly changes: readonly OfferChange[]
  /** Names what the server offers now, all of it; null before it has offered anything. */
  readonly offerHash: string | null
  readonly lastError: { readonly at: number; readonly text: string } | null
  /** Connections that ended without being told to. */
  readonly failures: number
  readonly runningCalls: number
  /** Whose sign-in is used; null where none is. */
  readonly signIn: SignInHolder | null
  /** Whether that sign-in is for everybody, as the operator's file says. */
  readonly isSignInShared: boolean
}

/** Whether what a server gives may be used for somebody: a sign-in is for admins, unless the operator's file shares it. [SEC23] */
export function isSignInOpenTo(
  { state, signIn, isSignInShared }: Pick<McpServerStatus, 'state' | 'signIn' | 'isSignInShared'>,
  { isAdmin }: { readonly isAdmin: boolean },
): boolean {
  const isOfSomebody = signIn !== null || state.type === 'needs-sign-in'
  return isAdmin || isSignInShared || !isOfSomebody
}
