import {
  type ConversationIndex,
  type EntryOf,
  type SearchHit,
  StoreReadError,
  type UsageIndex,
} from '@holdfast/conversation'
import { readShown } from '../shared/listing-row.ts'
import { readRow } from '../shared/read-rows.ts'
import { LOOKED_AT_OF_SEARCH } from '../shared/search-row.ts'
import type { UsageRow } from './messages/operations.ts'
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
      const foundIds = await reader.call('findWords', { match: matchExpression(ownerId, query), limit })
      const hits: SearchHit[] = []
      let lookedAt = LOOKED_AT_OF_SEARCH
      for (let from = 0; from < foundIds.length; ) {
        const page = await reader.call('searchHits', { query, foundIds: foundIds.slice(from), lookedAt })
        for (const found of page.hits) {
          if (found.type === 'hit') hits.push(found.hit)
          else onDamage(found.damage)
        }
        from += page.taken
        lookedAt = page.left
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
