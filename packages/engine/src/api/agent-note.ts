/** Something that an external agent did beside its answers. [AGENT1, AGENT6] */
export interface AgentNote {
  readonly conversationId: string
  readonly note:
    | {
        readonly type: 'attached'
        readonly agentId: string
        readonly sessionId: string
        /** Whether each of its requests comes by the gateway and has a record of its own. [AGENT13] */
        readonly isMetered: boolean
      }
    | { readonly type: 'detached'; readonly agentId: string; readonly reason: string }
    /** What a person should know of it. */
    | {
        readonly type: 'notice'
        readonly code: string
        readonly severity: 'info' | 'warning' | 'error'
        readonly text: string
      }
}
