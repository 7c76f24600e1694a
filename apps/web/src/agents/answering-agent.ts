import { DEFAULT_AGENT, type TranscriptItem, type TranscriptItemOf } from '@holdfast/conversation'

/** Who answered, as it was called then. */
export type AnsweringAgent = NonNullable<TranscriptItemOf<'assistant'>['agent']>

/** The agent that gave a turn's last answer; null for the one that sets nothing. */
export function answeringAgent(items: readonly TranscriptItem[]): AnsweringAgent | null {
  const agent = items
    .flatMap((item) => (item.role === 'assistant' && item.state !== 'erased' ? (item.agent ?? []) : []))
    .at(-1)
  return agent && agent.agentId !== DEFAULT_AGENT.agentId ? agent : null
}
