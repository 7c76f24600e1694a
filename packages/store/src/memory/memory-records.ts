import {
  type AppendedRecord,
  type Json,
  type KindWrite,
  type RecordChange,
  type RecordKey,
  type RecordKind,
  type RecordWrite,
  RevisionConflictError,
  type StoredRecord,
} from '@holdfast/conversation'
import type { MemoryData, MemoryRecord } from './memory-data.ts'

/** Whether a record is at the revision that a writer has read. @throws {RevisionConflictError} */
export function requireRevision(data: MemoryData, { kind, ownerId, id, revision }: AppendedRecord): void {
  checkRevision(data.records.get(recordKey(kind, { ownerId, id })), { kind, id, revision })
}

/** Writes a record whose revision and value were checked. */
export function keepRecord(
  data: MemoryData,
  { kind, ownerId, id, revision, value }: AppendedRecord,
  at: number,
): MemoryRecord {
  const json = JSON.stringify(value)
  const change = noteChange(data, { kind, ownerId, id, deleted: false })
  const record = { kind, ownerId, id, revision: revision + 1, change, updatedAt: at, json }
  data.records.set(recordKey(kind, { ownerId, id }), record)
  return record
}

/** Writes a record that is at the revision which the writer has read. */
export function putRecord<Value extends Json>(
  data: MemoryData,
  kind: RecordKind<Value>,
  write: RecordWrite<Value>,
): StoredRecord<Value> {
  const record = appended({ kind, write })
  requireRevision(data, record)
  return readRecord(kind, keepRecord(data, record, write.at))
}

/** Writes several records, each of them at the revision which the writer has read. */
export function putTogether<Value extends Json>(
  data: MemoryData,
  writes: readonly KindWrite<Value>[],
): readonly StoredRecord<Value>[] {
  const records = writes.map(appended)
  for (const record of records) requireRevision(data, record)
  return writes.map((given) => readRecord(given.kind, keepRecord(data, appended(given), given.write.at)))
}

function appended<Value extends Json>({ kind, write }: KindWrite<Value>): AppendedRecord {
  const { ownerId, id, revision, value } = write
  return { ownerId, id, revision, kind: kind.kind, value: kind.schema.parse(value) }
}

/** One record, or null. */
export function getRecord<Value extends Json>(
  data: MemoryData,
  kind: RecordKind<Value>,
  key: RecordKey,
): StoredRecord<Value> | null {
  const record = data.records.get(recordKey(kind.kind, key))
  return record ? readRecord(kind, record) : null
}

/** A page of the records of an owner, by id. */
export function listRecords<Value extends Json>(
  data: MemoryData,
  kind: RecordKind<Value>,
  { ownerId, limit, afterId }: { readonly ownerId: string; readonly limit: number; readonly afterId?: string },
): StoredRecord<Value>[] {
  return [...data.records.values()]
    .filter((record) => record.kind === kind.kind && record.ownerId === ownerId)
    .filter((record) => afterId === undefined || record.id > afterId)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map((record) => readRecord(kind, record))
}

/** Deletes a record that is at the revision which the caller has read. */
export function removeRecord(data: MemoryData, kind: string, key: RecordKey & { readonly revision: number }): void {
  const name = recordKey(kind, key)
  const known = data.records.get(name)
  checkRevision(known, { kind, id: key.id, revision: key.revision })
  if (!known) return
  data.records.delete(name)
  noteChange(data, { kind, ownerId: key.ownerId, id: key.id, deleted: true })
}

/** What changed after a place in the feed, each record once. */
export function changesAfter(data: MemoryData, after: number, limit: number): RecordChange[] {
  return [...data.changes.values()]
    .filter(({ change }) => change > after)
    .sort((a, b) => a.change - b.change)
    .slice(0, limit)
    .map((change) => ({ ...change }))
}

function recordKey(kind: string, { ownerId, id }: RecordKey): string {
  return JSON.stringify([kind, ownerId, id])
}

function checkRevision(
  known: MemoryRecord | undefined,
  { kind, id, revision }: { kind: string; id: string; revision: number },
): void {
  const currentRevision = known?.revision ?? 0
  if (currentRevision !== revision) throw new RevisionConflictError({ kind, id, revision, currentRevision })
}

function noteChange(data: MemoryData, changed: Omit<RecordChange, 'change'>): number {
  data.lastChange += 1
  data.changes.set(recordKey(changed.kind, changed), { ...changed, change: data.lastChange })
  return data.lastChange
}

function readRecord<Value extends Json>(kind: RecordKind<Value>, record: MemoryRecord): StoredRecord<Value> {
  const { ownerId, id, revision, change, updatedAt, json } = record
  return { ownerId, id, revision, change, updatedAt, value: kind.schema.parse(JSON.parse(json)) }
}
