import type { RefusedTool } from './offered-tool.ts'
import type { OfferChange } from './pins.ts'

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
}
