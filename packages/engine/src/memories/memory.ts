import { DEFAULT_AGENT_ID, SETTINGS } from '@holdfast/conversation'
import * as z from 'zod'

/** Where a memory was saved: after this entry. */
const MemoryOrigin = z.object({ conversationId: z.string().min(1), seq: z.int().nonnegative() })

/** A memory as it is stored. */
export const MEMORY = {
  kind: 'memory',
  schema: z.object({
    /** One line. */
    text: z.string().min(1).max(SETTINGS.memoryChars.most),
    /** The one agent that is told it; null for every agent of the user. */
    agentId: z.string().min(1).nullable(),
    isPinned: z.boolean(),
    /** Milliseconds since the Unix epoch. */
    createdAt: z.int().nonnegative(),
    /**
     * Counts what a user has had saved: it tells the order where clocks do not, within a millisecond or set back. 0 for
     * what was stored uncounted, which is older than all others.
     */
    ordinal: z.int().nonnegative().default(0),
    /** Null for what the user wrote down or imported. */
    from: MemoryOrigin.nullable(),
  }),
} as const

type MemoryValue = z.infer<typeof MEMORY.schema>

/** Something about a user that outlives the conversation in which it was said. */
export interface Memory extends Readonly<Omit<MemoryValue, 'ordinal'>> {
  readonly memoryId: string
  /** When it was changed last, in milliseconds since the Unix epoch. */
  readonly changedAt: number
}

/** Characters that change how others read or that nobody sees: marks of direction and tags. */
const UNSEEN = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** The text of a memory on one line, without characters that hide or turn others. [REQ7] */
export function memoryText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNSEEN, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** The agent whose own memories count; null for the agent that is there without a choice, which has none of its own. */
export function memoryAgentOf(agentId: string | undefined): string | null {
  return agentId === undefined || agentId === DEFAULT_AGENT_ID ? null : agentId
}

/** What an agent may be told of a user: what is for every agent, and its own. [AGENT4] */
export function memoriesFor(memories: readonly Memory[], agentId: string | null): readonly Memory[] {
  return memories.filter((memory) => memory.agentId === null || memory.agentId === agentId)
}
