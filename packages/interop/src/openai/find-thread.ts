import { type EntryLog, entriesAfter, type SnapshotStore } from '@holdfast/conversation'
import { readOverview, UnknownConversationError } from '@holdfast/engine'
import { findExchange } from '../exchanges.ts'
import { historyId, type SaidMessage } from './asked-completion.ts'
import { createCompletion } from './completion.ts'
import type { ThreadPlace, Threads } from './threads.ts'

/** A conversation in which a history was said, and the entry at which it ends there. */
export interface FoundThread {
  readonly conversationId: string
  readonly endSeq: number
  /** Whether something was said after it. */
  readonly wentOn: boolean
}

interface FindDeps {
  readonly threads: Threads
  readonly store: Pick<EntryLog, 'read'> & SnapshotStore
  readonly userId: string
}

const PAGE = 200

/** The conversation that holds this history, its last answer word for word; null for none. What a client says is not believed. */
export async function findThread(deps: FindDeps, history: readonly SaidMessage[]): Promise<FoundThread | null> {
  const asked = historyId(history.slice(0, -1))
  const answer = history.at(-1)
  if (asked === null || !answer) return null
  for (const place of await deps.threads.find(deps.userId, asked)) {
    const found = await answered(deps, place)
    if (found && found.text.trim() === answer.text.trim()) return found.thread
  }
  return null
}

/** What an input was answered with; null where it is not on the path, or has no answer yet. */
async function answered(
  { store }: FindDeps,
  { conversationId, inputId }: ThreadPlace,
): Promise<{ readonly text: string; readonly thread: FoundThread } | null> {
  const path = await pathOf(store, conversationId)
  const asked = path && (await findExchange({ store, conversationId, path }, (message) => message.inputId === inputId))
  if (!asked) return null
  let text = ''
  const completion = createCompletion({ inputId, onText: (words) => (text += words), onQuestion: () => {} })
  const rest = { conversationId, after: asked.admittedSeq - 1, to: path.head, pageEntries: PAGE }
  for await (const { entries } of entriesAfter(store, rest)) {
    for (const entry of entries) {
      completion.takeEntry(entry)
      if (completion.end()) return { text, thread: { conversationId, endSeq: entry.seq, wentOn: !asked.isNewest } }
    }
  }
  return null
}

/** Null for a conversation that was deleted since. */
async function pathOf(store: FindDeps['store'], conversationId: string) {
  try {
    const { state } = await readOverview(store, conversationId)
    return state.head === 0 ? null : state.path
  } catch (error) {
    if (error instanceof UnknownConversationError) return null
    throw error
  }
}
