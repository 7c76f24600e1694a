import type { Json, RecordKind, Records, StoredRecord } from '@holdfast/conversation'
import type { RecordRow } from './messages/operations.ts'
import type { StoreThreads } from './sqlite-log.ts'

/** The records: values are checked against their kind when they are written and when they are read. */
export function createSqliteRecords({ writer, reader }: StoreThreads): Records {
  const { get, list, changes } = createRecordReader(reader)
  return {
    get,
    list,
    changes,
    async put(kind, { ownerId, id, revision, value, at }) {
      const text = JSON.stringify(kind.schema.parse(value))
      const call = { kind: kind.kind, ownerId, id, revision, value: text, at }
      const written = await writer.call('putRecord', call)
      return { ownerId, id, ...written, updatedAt: at, value: kind.schema.parse(JSON.parse(text)) }
    },
    async remove(kind, { ownerId, id, revision }) {
      await writer.call('removeRecord', { kind: kind.kind, ownerId, id, revision })
    },
  }
}

/** What of the records needs no writer. */
export function createRecordReader(reader: StoreThreads['reader']): Pick<Records, 'get' | 'list' | 'changes'> {
  return {
    async get(kind, { ownerId, id }) {
      const row = await reader.call('getRecord', { kind: kind.kind, ownerId, id })
      return row && toRecord(kind, row)
    },
    async list(kind, { ownerId, limit, afterId }) {
      const rows = await reader.call('listRecords', { kind: kind.kind, ownerId, limit, afterId: afterId ?? null })
      return rows.map((row) => toRecord(kind, row))
    },
    async changes(after, limit) {
      const rows = await reader.call('recordChanges', { after, limit })
      return rows.map((row) => ({ ...row, deleted: row.deleted === 1 }))
    },
  }
}

function toRecord<Value extends Json>(kind: RecordKind<Value>, row: RecordRow): StoredRecord<Value> {
  const { ownerId, id, revision, change, updatedAt, value } = row
  return { ownerId, id, revision, change, updatedAt, value: kind.schema.parse(JSON.parse(value)) }
}
