import type { ConversationListing } from '@holdfast/conversation'
import * as z from 'zod'

/** What a conversation is doing, most urgent first. */
const State = z.enum([
  'waiting-for-permission',
  'waiting-for-answer',
  'running',
  'queue-held',
  'failed',
  'interrupted',
  'idle',
])

/** A conversation as its owner sees it in the list. Times are in milliseconds since the Unix epoch. */
export const ConversationRow = z.object({
  id: z.string().min(1),
  title: z.string().nullable(),
  /** How the first message begins, for as long as there is no title. */
  firstWords: z.string().nullable(),
  /** The conversation that this one was branched from; null for every other. */
  forkedFromId: z.string().nullable(),
  agentId: z.string().nullable(),
  modelId: z.string().nullable(),
  /** The workspace that was chosen for it; null for the one of the start, where there is one. [WS7] */
  workspaceId: z.string().nullable(),
  /** The worktree of it in which it works; null where it works in the workspace itself. */
  worktreeId: z.string().nullable(),
  state: State,
  archived: z.boolean(),
  messageCount: z.int().nonnegative(),
  queuedCount: z.int().nonnegative(),
  permissionCount: z.int().nonnegative(),
  createdAt: z.int().nonnegative(),
  /** When a message was last sent or answered. */
  updatedAt: z.int().nonnegative(),
  /** Whether it was answered after what its owner has read. */
  unread: z.boolean(),
  /** `seq` of the log's last entry. */
  head: z.int().nonnegative(),
})
export type ConversationRow = z.infer<typeof ConversationRow>

/** The row of a listing, for an owner who has read up to `readSeq`. */
export function toConversationRow(listing: ConversationListing, readSeq: number): ConversationRow {
  const { conversationId, title, agentId, modelId, state, archived, createdAt, updatedAt, head } = listing
  const { firstWords, forkedFromId, workspaceId, worktreeId, messageCount, queuedCount, permissionCount } = listing
  return {
    id: conversationId,
    title,
    firstWords,
    forkedFromId,
    agentId,
    modelId,
    workspaceId,
    worktreeId,
    state,
    archived,
    messageCount,
    queuedCount,
    permissionCount,
    createdAt,
    updatedAt,
    unread: listing.answeredSeq > readSeq,
    head,
  }
}
