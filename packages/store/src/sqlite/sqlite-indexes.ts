import { setImmediate } from 'node:timers/promises'
import {
  type ConversationIndex,
  DamagedLogError,
  type EntryOf,
  type SearchHit,
  StoreReadError,
  type UsageIndex,
} from '@holdfast/conversation'
import { readShown } from '../shared/listing-row.ts'
import { readRow } from '../shared/read-rows.ts'
import { createSearchHits } from '../shared/search-row.ts'
import type { FoundRow, UsageRow } from './messages/operations.ts'
import type { StoreThreads } from './sqlite-log.ts'
import { matchExpression } from './tables/search-table.ts'

/** The conversation list, the search and the usage of an owner. */
export function createSqliteIndexes({ writer, reader, onDamage }: StoreThreads): ConversationIndex & UsageIndex {
  return {
    async listConversations({ before, ...query }) {
      const { shown, damaged } = await reader.call('listConversations', { ...query, before: before ?? null })
      for (const conversationId of damaged) {
        onDamage({
          conversationId,
          firstBadSeq: null,
          what: 'its row in the conversation list is not what was written',
        })
      }
      return shown.map(readShown)
    },
    async readListing(conversationId) {
      const shown = await reader.call('readListing', { conversationId })
      return shown === null ? null : readShown(shown)
    },
    async search({ ownerId, query, limit }) {
      if (query.phrases.length === 0) return []
      const rows = await reader.call('search', { ownerId, match: matchExpression(ownerId, query), limit })
      const toHit = createSearchHits(query)
      // A damaged entry is left out, so that one does not keep all the others from being found.
      const toHits = (row: FoundRow): SearchHit[] => {
        try {
          return [toHit(readRow(row.conversationId, row), readShown(row.shown).title)]
        } catch (error) {
          if (!(error instanceof DamagedLogError)) throw error
          onDamage({ conversationId: row.conversationId, firstBadSeq: row.seq, what: error.message })
          return []
        }
      }
      const hits: SearchHit[] = []
      for (const row of rows) {
        hits.push(...toHits(row))
        // Each may be a long message: whoever else waits comes in between.
        await setImmediate()
      }
      return hits
    },
    async reindex(conversationId) {
      await writer.call('reindex', { conversationId })
    },
    async readUsage({ after, ...query }) {
      const place = after ? { at: after.at, conversationId: after.conversationId, seq: after.seq } : null
      const rows = await reader.call('readUsage', { ...query, after: place })
      return rows.map(toUsage)
    },
  }
}

function toUsage(row: UsageRow): EntryOf<'usage-recorded'> {
  const entry = readRow(row.conversationId, row)
  if (entry.type === 'usage-recorded') return entry
  throw new StoreReadError(
    `The usage index names entry ${row.seq} of conversation ${row.conversationId}, which is ${entry.type}`,
  )
}
