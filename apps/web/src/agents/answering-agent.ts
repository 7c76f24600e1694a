import { DEFAULT_AGENT, type TranscriptItem } from '@holdfast/conversation'
import * as z from 'zod'

const Answering = z.object({ agentId: z.string(), name: z.string(), avatar: z.string().optional() })

/** Who answered, as it was called then. */
export type AnsweringAgent = z.infer<typeof Answering>

/** The agent that gave a turn's last answer; null for the one that sets nothing. */
export function answeringAgent(items: readonly TranscriptItem[]): AnsweringAgent | null {
  const last = items.findLast(({ detail }) => detail['agent'] !== undefined)
  const agent = last && Answering.safeParse(last.detail['agent']).data
  return agent && agent.agentId !== DEFAULT_AGENT.agentId ? agent : null
}
