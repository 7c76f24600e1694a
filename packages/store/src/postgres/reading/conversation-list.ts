import { type ConversationListing, DamagedLogError, type ListQuery, NewerEntryError } from '@holdfast/conversation'
import type { Database } from '../connection/database.ts'
import { CONVERSATION_COLUMNS, type ConversationRow, isCurrent, shownOf } from '../tables/conversation-rows.ts'
import { reindex } from '../tables/reindex.ts'

const LIST = `
  SELECT ${CONVERSATION_COLUMNS}, c.archived, c.updated_at AS "updatedAt" FROM holdfast.conversations c
  WHERE owner_id = $1 AND archived = $2
  ORDER BY updated_at DESC, conversation_id DESC LIMIT $3`

const LIST_BEFORE = `
  SELECT ${CONVERSATION_COLUMNS}, c.archived, c.updated_at AS "updatedAt" FROM holdfast.conversations c
  WHERE owner_id = $1 AND archived = $2 AND (updated_at, conversation_id) < ($4, $5)
  ORDER BY updated_at DESC, conversation_id DESC LIMIT $3`

const ONE = `
  SELECT ${CONVERSATION_COLUMNS}, c.archived, c.updated_at AS "updatedAt" FROM holdfast.conversations c
  WHERE conversation_id = $1`

type ListRow = ConversationRow & { readonly archived: boolean; readonly updatedAt: number }

/** A page of the list, newest change first. */
export async function listConversations(database: Database, query: ListQuery): Promise<readonly ConversationListing[]> {
  const { ownerId, archived, limit, before } = query
  const readRows = () =>
    database.read((sql) =>
      before
        ? sql<ListRow>(LIST_BEFORE, [ownerId, archived, limit, before.updatedAt, before.conversationId])
        : sql<ListRow>(LIST, [ownerId, archived, limit]),
    )
  return currentRows(database, readRows)
}

/** The row of one conversation, or null. */
export async function readListing(database: Database, conversationId: string): Promise<ConversationListing | null> {
  const rows = await currentRows(database, () => database.read((sql) => sql<ListRow>(ONE, [conversationId])))
  return rows[0] ?? null
}

/**
 * Rows that another version of the list wrote, or that are not what was written, are made anew from their
 * logs, and the page is read again. One whose log is damaged is shown by what its columns still say: a list
 * without it would hide it.
 */
async function currentRows(
  database: Database,
  readRows: () => Promise<readonly ListRow[]>,
): Promise<ConversationListing[]> {
  const rows = await readRows()
  const stale = rows.filter((row) => !isCurrent(row))
  if (stale.length === 0) return rows.map(shownOf)
  for (const { conversationId } of stale) await reindexIfPossible(database, conversationId)
  return (await readRows()).map((row) => (isCurrent(row) ? shownOf(row) : bareListing(row)))
}

async function reindexIfPossible(database: Database, conversationId: string): Promise<void> {
  try {
    await reindex(database, conversationId)
  } catch (error) {
    if (!(error instanceof DamagedLogError || error instanceof NewerEntryError)) throw error
  }
}

function bareListing({ conversationId, ownerId, archived, updatedAt, head }: ListRow): ConversationListing {
  return {
    conversationId,
    ownerId,
    title: null,
    firstWords: null,
    forkedFromId: null,
    state: 'failed',
    archived,
    messageCount: 0,
    queuedCount: 0,
    permissionCount: 0,
    agentId: null,
    modelId: null,
    workspaceId: null,
    worktreeId: null,
    createdAt: updatedAt,
    updatedAt,
    answeredSeq: 0,
    head,
  }
}
