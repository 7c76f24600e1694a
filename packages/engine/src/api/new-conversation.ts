/** A conversation that nobody has begun: whose it would be, and what would be chosen for it. */
export interface NewConversation {
  readonly ownerId: string
  /** Null for the usual one, or that of the agent. */
  readonly modelId: string | null
  /** Null for none. */
  readonly agentId: string | null
}
