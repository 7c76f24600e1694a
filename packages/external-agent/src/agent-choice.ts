import type { ConversationSettings } from '@holdfast/conversation'

/** What a person chose of an agent for a conversation; null where nobody did. [AGENT51] */
export interface AgentChoice {
  readonly modeId: string | null
  readonly modelId: string | null
  /** Who pays: `own` is the agent's own sign-in, `providers` those that are set up here, `provider:ID` one of them. [AGENT54] */
  readonly paidBy: PaidBy | null
}

/** Who pays for what an agent asks, as the settings of a conversation say it. */
export type PaidBy = NonNullable<ConversationSettings['paidBy']>

/** What the settings of a conversation say of its agent. */
export function choiceIn({ externalMode, externalModel, paidBy }: ConversationSettings): AgentChoice {
  return { modeId: externalMode ?? null, modelId: externalModel ?? null, paidBy: paidBy ?? null }
}
