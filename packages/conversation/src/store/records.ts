import type * as z from 'zod'
import type { Json } from '../json.ts'

/** A kind of record: a small table of values with an owner. */
export interface RecordKind<Value extends Json> {
  readonly kind: string
  readonly schema: z.ZodType<Value>
}

/** A value with its owner and revision. */
export interface StoredRecord<Value> {
  readonly ownerId: string
  readonly id: string
  /** 1 for a new record; one more with every change. */
  readonly revision: number
  /** Place of its last change in the store's change feed. */
  readonly change: number
  /** Milliseconds since the Unix epoch. */
  readonly updatedAt: number
  readonly value: Value
}

/** What to write. */
export interface RecordWrite<Value> {
  readonly ownerId: string
  readonly id: string
  /** The revision that the caller has read; 0 for a record that does not exist yet. */
  readonly revision: number
  readonly value: Value
  readonly at: number
}

/** What to write, and what kind of record it is. */
export interface KindWrite<Value extends Json> {
  readonly kind: RecordKind<Value>
  readonly write: RecordWrite<Value>
}

/** A change of a record, as the feed has it. The value is read when it is wanted. */
export interface RecordChange {
  readonly change: number
  readonly kind: string
  readonly ownerId: string
  readonly id: string
  readonly deleted: boolean
}

/** Another wrote first. Read again, decide again. */
export class RevisionConflictError extends Error {
  override readonly name = 'RevisionConflictError'
  readonly code = 'revision-conflict'
  readonly currentRevision: number

  constructor(conflict: { kind: string; id: string; revision: number; currentRevision: number }) {
    super(`${conflict.kind} ${conflict.id} is at revision ${conflict.currentRevision}, not ${conflict.revision}`)
    this.currentRevision = conflict.currentRevision
  }
}

/**
 * What is not part of a conversation: users, agents, memories, rules, providers, composer text, read
 * marks. Kept in the same database as the log. `describeRecords` is the contract as tests.
 */
export interface Records {
  /**
   * Writes a record; durable when it resolves.
   *
   * @throws {RevisionConflictError} when the record is not at that revision. Nothing was written.
   */
  put<Value extends Json>(kind: RecordKind<Value>, write: RecordWrite<Value>): Promise<StoredRecord<Value>>

  /**
   * Writes several records, each named once: all of them or none; durable when it resolves. What is written as it was
   * read holds what the others were decided by.
   *
   * @throws {RevisionConflictError} when one of them is not at its revision. Nothing was written.
   */
  putTogether<Value extends Json>(writes: readonly KindWrite<Value>[]): Promise<readonly StoredRecord<Value>[]>

  /** One record, or null. */
  get<Value extends Json>(kind: RecordKind<Value>, key: RecordKey): Promise<StoredRecord<Value> | null>

  /** The records of an owner, by id; at most `limit` after `afterId`. */
  list<Value extends Json>(
    kind: RecordKind<Value>,
    query: { readonly ownerId: string; readonly limit: number; readonly afterId?: string },
  ): Promise<readonly StoredRecord<Value>[]>

  /**
   * Deletes a record; durable when it resolves.
   *
   * @throws {RevisionConflictError} when the record is not at that revision. Nothing was deleted.
   */
  remove<Value extends Json>(kind: RecordKind<Value>, key: RecordKey & { readonly revision: number }): Promise<void>

  /** Changes after a place in the feed, in order, at most `limit`. Each record appears once, at its last change. */
  changes(after: number, limit: number): Promise<readonly RecordChange[]>
}

/** Names a record. */
export interface RecordKey {
  readonly ownerId: string
  readonly id: string
}
