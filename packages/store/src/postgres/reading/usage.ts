import type { EntryOf, UsageQuery } from '@holdfast/conversation'
import type { Database } from '../connection/database.ts'

const USAGE = `
  SELECT body FROM holdfast.usage_records
  WHERE owner_id = $1 AND at >= $2 AND at < $3
  ORDER BY at, conversation_id, seq LIMIT $4`

const USAGE_AFTER = `
  SELECT body FROM holdfast.usage_records
  WHERE owner_id = $1 AND at >= $2 AND at < $3 AND (at, conversation_id, seq) > ($5, $6, $7)
  ORDER BY at, conversation_id, seq LIMIT $4`

/** A page of the usage records of an owner, oldest first. [COST1, LOG9] */
export async function readUsage(database: Database, query: UsageQuery): Promise<readonly EntryOf<'usage-recorded'>[]> {
  const { ownerId, from, to, limit, after } = query
  const rows = await database.read((sql) =>
    after
      ? sql<{ body: string }>(USAGE_AFTER, [ownerId, from, to, limit, after.at, after.conversationId, after.seq])
      : sql<{ body: string }>(USAGE, [ownerId, from, to, limit]),
  )
  return rows.map(({ body }) => JSON.parse(body))
}
