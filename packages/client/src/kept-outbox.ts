import { CommandFrame } from '@holdfast/protocol'
import * as z from 'zod'
import type { ConversationCommandFrame } from './conversation-state.ts'

/** Where the outbox is kept, so that a page that is loaded again still sends what was typed. [SYNC2] */
export interface OutboxKeeper {
  /** What was saved last, or null. */
  load(): string | null
  save(text: string): void
}

const Kept = z.array(CommandFrame)

/** Reads the outbox of the tab's earlier life. What does not read back is left out: it is from another version. */
export function loadOutbox(keeper: OutboxKeeper): readonly ConversationCommandFrame[] {
  const text = keeper.load()
  if (text === null) return []
  const kept = Kept.safeParse(JSON.parse(text))
  return kept.success ? kept.data.filter((command) => command.name !== 'create-conversation') : []
}

/** Keeps the commands that the server has not taken yet. */
export function saveOutbox(keeper: OutboxKeeper, commands: readonly ConversationCommandFrame[]): void {
  keeper.save(JSON.stringify(commands))
}
