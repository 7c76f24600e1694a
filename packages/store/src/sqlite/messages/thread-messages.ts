import type { Damage } from '@holdfast/conversation'
import type { BucketOptions } from '../../bucket/bucket.ts'
import type { ConnectionOptions } from '../files/connection.ts'
import type { Failure } from './failures.ts'
import type { Call, SignaturesOf } from './operations.ts'

/** What a database thread is for. */
export type ThreadRole = 'write' | 'read' | 'check' | 'backup' | 'restore'

/** What a thread is given when it starts. */
export interface ThreadOptions extends ConnectionOptions {
  readonly role: ThreadRole
  readonly dataDir: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** Where content of blobs may be, for the threads that read all of it; left out where the database has it. */
  readonly bucket?: BucketOptions | null
}

/** What became of a call. */
export type Answer =
  | { readonly type: 'answered'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly failure: Failure }

/**
 * What a thread says. Answers come many at a time: those of one commit. They say whether the calls of a message are done, so
 * that the next one may come; what is put off, such as an erasure, is answered later.
 */
export type ThreadMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'not-opened'; readonly failure: Failure }
  | { readonly type: 'answers'; readonly answers: readonly Answer[]; readonly isDone: boolean }
  | { readonly type: 'damage'; readonly damage: Damage }
  | { readonly type: 'closed' }

/** What a thread is told first: that it may open its database now. */
export interface OpenOrder {
  readonly type: 'open'
}

/** Calls that were made beside each other, or while the thread was at work. */
export interface Calls<Signatures extends SignaturesOf<Signatures>> {
  readonly type: 'calls'
  readonly calls: readonly Call<Signatures>[]
}

/** What a thread is told beside calls: finish what was asked before, or break off. */
export type ThreadOrder = { readonly type: 'close' } | { readonly type: 'abort' }
