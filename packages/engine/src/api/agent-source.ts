import type { AgentInUse } from '@holdfast/conversation'

/** The agents that people may choose. */
export interface AgentSource {
  /**
   * An agent as it is now. An implementer gives null for one that is not there and for one that this person may not
   * use, and nobody can tell the two apart. [SEC1]
   */
  find(asked: { readonly ownerId: string; readonly agentId: string }): Promise<OfferedAgent | null>
  /** The agents that a person may use, by name; the names may repeat. */
  list(ownerId: string): Promise<readonly OfferedAgent[]>
}

/** An agent that a person may choose. */
export interface OfferedAgent extends AgentInUse {
  /** Whether its permission mode is this person's own wish or the operator's; another's can only narrow theirs. */
  readonly isTrusted: boolean
}
