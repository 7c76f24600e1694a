import type { Json, KindWrite, RecordKind, Records, StoredRecord } from '@holdfast/conversation'
import type { RecordPut, RecordRow } from './messages/operations.ts'
import type { StoreThreads } from './sqlite-log.ts'

/** The records: values are checked against their kind when they are written and when they are read. */
export function createSqliteRecords({ writer, reader }: StoreThreads): Records {
  const { get, list, changes } = createRecordReader(reader)

  async function putTogether<Value extends Json>(
    writes: readonly KindWrite<Value>[],
  ): Promise<readonly StoredRecord<Value>[]> {
    const calls = writes.map(toCall)
    const written = await writer.call('putRecords', calls)
    return written.map((row, index) => {
      const [call, kind] = [calls[index], writes[index]?.kind]
      if (!call || !kind) throw new Error('More was written than was asked')
      const { ownerId, id, at, value } = call
      return { ownerId, id, ...row, updatedAt: at, value: kind.schema.parse(JSON.parse(value)) }
    })
  }

  return {
    get,
    list,
    changes,
    async put(kind, write) {
      const [written] = await putTogether([{ kind, write }])
      if (!written) throw new Error(`Record ${write.id} was not kept`)
      return written
    },
    putTogether,
    async remove(kind, { ownerId, id, revision }) {
      await writer.call('removeRecord', { kind: kind.kind, ownerId, id, revision })
    },
  }
}

function toCall<Value extends Json>({ kind, write }: KindWrite<Value>): RecordPut {
  const { ownerId, id, revision, value, at } = write
  return { kind: kind.kind, ownerId, id, revision, value: JSON.stringify(kind.schema.parse(value)), at }
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
