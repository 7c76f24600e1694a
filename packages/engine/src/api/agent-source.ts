import type { AgentInUse } from '@holdfast/conversation'
import type { OfferedPreset } from './preset-source.ts'

/** The agents that people may choose. */
export interface AgentSource {
  /**
   * An agent as it is now. An implementer gives null for one that is not there and for one that this person may not
   * use, and nobody can tell the two apart. [SEC1]
   */
  find(asked: { readonly ownerId: string; readonly agentId: string }): Promise<OfferedAgent | null>
  /**
   * The agents that tasks of a person may be handed to by name: their own, the operator's, and those that others share
   * and this person has accepted. The names may repeat. [AGENT5]
   */
  list(ownerId: string): Promise<readonly OfferedAgent[]>
}

/** An agent that a person may choose. */
export interface OfferedAgent extends AgentInUse {
  /**
   * Where it is from: this person's own, the operator's, or another person's, whose permission mode can only narrow
   * theirs.
   */
  readonly origin: 'own' | 'operator' | 'shared'
  /** What people call the one who shares it; null for what is not shared. */
  readonly sharedBy: string | null
  /** What conversations begin with in which it is the first to answer, where nothing else is chosen; absent for none. [WS33] */
  readonly preset?: OfferedPreset
}
