import type { Entry, ListingState } from '@holdfast/conversation'
import { DamagedLogError, listing, toListing } from '@holdfast/conversation/stored'
import type { Database } from 'better-sqlite3'
import { isIntact } from '../../shared/intact-row.ts'
import { isDamage } from '../files/sqlite-errors.ts'
import type { ListCall, Operations, ReadSignatures } from '../messages/operations.ts'
import type { LogTables } from './log-reader.ts'

/** How many entries a row that is made from the log is folded from at once. */
const PAGE = 500

/** The list's part of the reading thread. */
export function createListReader(
  database: Database,
  tables: LogTables,
): Pick<Operations<ReadSignatures>, 'listConversations' | 'readListing'> {
  // Ids come from the index alone: a row that is damaged does not hide its conversation.
  const page = database.prepare<[string, number, number, string, number], { conversationId: string }>(
    `SELECT conversation_id AS conversationId FROM conversations INDEXED BY conversations_by_owner
     WHERE owner_id = ? AND archived = ? AND (updated_at, conversation_id) < (?, ?)
     ORDER BY updated_at DESC, conversation_id DESC LIMIT ?`,
  )
  const first = database.prepare<[string, number, number], { conversationId: string }>(
    `SELECT conversation_id AS conversationId FROM conversations INDEXED BY conversations_by_owner
     WHERE owner_id = ? AND archived = ? ORDER BY updated_at DESC, conversation_id DESC LIMIT ?`,
  )
  const idsOf = ({ ownerId, archived, limit, before }: ListCall): { conversationId: string }[] => {
    const flag = archived ? 1 : 0
    return before
      ? page.all(ownerId, flag, before.updatedAt, before.conversationId, limit)
      : first.all(ownerId, flag, limit)
  }
  return {
    listConversations(call) {
      const damaged: string[] = []
      const shown = idsOf(call).map(({ conversationId }) => {
        const whole = shownOf(tables, conversationId)
        if (whole !== null) return whole
        damaged.push(conversationId)
        return JSON.stringify(toListing(foldReadable(tables, conversationId, call)))
      })
      return { shown, damaged }
    },
    readListing: ({ conversationId }) => tables.conversations.find(conversationId)?.shown ?? null,
  }
}

/** Null when the row is damaged, or the index names a conversation that has none. */
function shownOf({ conversations }: LogTables, conversationId: string): string | null {
  try {
    return conversations.find(conversationId)?.shown ?? null
  } catch (error) {
    if (isDamage(error) || error instanceof DamagedLogError) return null
    throw error
  }
}

/** What the list can say of a conversation whose row is damaged: the fold of its entries up to the first bad one. */
function foldReadable({ entries, conversations }: LogTables, conversationId: string, call: ListCall): ListingState {
  const key = conversations.findKey(conversationId)
  let state: ListingState = { ...listing.initial, conversationId, ownerId: call.ownerId, archived: call.archived }
  for (let from = 1; key !== null; from += PAGE) {
    const rows = readable(() => entries.range(key, from, from + PAGE - 1))
    const bad = rows.findIndex((row, index) => row.seq !== from + index || !isIntact(conversationId, row))
    const kept = bad < 0 ? rows : rows.slice(0, bad)
    const readEntries: Entry[] = kept.map(({ body }) => JSON.parse(body))
    state = listing.reduce(state, readEntries)
    if (kept.length < PAGE) break
  }
  return state
}

function readable<Row>(read: () => Row[]): Row[] {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return []
    throw error
  }
}
