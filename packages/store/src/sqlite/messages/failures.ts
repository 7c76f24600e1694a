import type { StoreOpenFailure, StoreWriteFailure } from '@holdfast/conversation'
import {
  AppendConflictError,
  CommandReusedError,
  DamagedLogError,
  ErasureRefusedError,
  LeaseHeldError,
  MissingBlobError,
  NewerEntryError,
  RevisionConflictError,
  StaleEpochError,
  StoreOpenError,
  StoreReadError,
  StoreWriteError,
} from '@holdfast/conversation/stored'

/** Why a call failed, in the form in which it crosses threads: classes do not. */
export type Failure =
  | { readonly type: 'append-conflict'; readonly conversationId: string; readonly after: number; readonly head: number }
  | {
      readonly type: 'stale-epoch'
      readonly conversationId: string
      readonly epoch: number
      readonly currentEpoch: number
    }
  | { readonly type: 'lease-held'; readonly conversationId: string }
  | { readonly type: 'command-reused'; readonly conversationId: string; readonly commandId: string }
  | { readonly type: 'missing-blob'; readonly hash: string }
  | {
      readonly type: 'revision-conflict'
      readonly kind: string
      readonly id: string
      readonly revision: number
      readonly currentRevision: number
    }
  | {
      readonly type: 'damaged-log'
      readonly conversationId: string
      readonly firstBadSeq: number
      readonly message: string
    }
  | { readonly type: 'newer-entry'; readonly conversationId: string; readonly seq: number; readonly message: string }
  | { readonly type: 'erasure-refused'; readonly seq: number; readonly message: string }
  | { readonly type: 'open'; readonly code: StoreOpenFailure; readonly message: string }
  | { readonly type: 'write'; readonly code: StoreWriteFailure; readonly message: string; readonly told: string }
  | { readonly type: 'read'; readonly message: string; readonly told: string }
  | { readonly type: 'defect'; readonly message: string }

/** An operation that is refused for a reason its caller knows; it has written nothing. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.type)
    this.failure = failure
  }
}

/** Writes an error down for another thread. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Refusal) return error.failure
  if (!(error instanceof Error)) return { type: 'defect', message: String(error) }
  const { message } = error
  if (error instanceof DamagedLogError) {
    return { type: 'damaged-log', conversationId: error.conversationId, firstBadSeq: error.firstBadSeq, message }
  }
  if (error instanceof NewerEntryError) {
    return { type: 'newer-entry', conversationId: error.conversationId, seq: error.seq, message }
  }
  if (error instanceof ErasureRefusedError) return { type: 'erasure-refused', seq: error.seq, message }
  if (error instanceof StoreOpenError) return { type: 'open', code: error.code, message }
  if (error instanceof StoreWriteError) return { type: 'write', code: error.code, message, told: error.told }
  if (error instanceof StoreReadError) return { type: 'read', message, told: error.told }
  return { type: 'defect', message: error.stack ?? message }
}

/** The error that a failure was. */
export function toError(failure: Failure): Error {
  switch (failure.type) {
    case 'append-conflict':
      return new AppendConflictError(failure)
    case 'stale-epoch':
      return new StaleEpochError(failure)
    case 'lease-held':
      return new LeaseHeldError(failure.conversationId)
    case 'command-reused':
      return new CommandReusedError(failure.conversationId, failure.commandId)
    case 'missing-blob':
      return new MissingBlobError(failure.hash)
    case 'revision-conflict':
      return new RevisionConflictError(failure)
    case 'damaged-log':
      return withMessage(new DamagedLogError({ ...failure, what: '' }), failure)
    case 'newer-entry':
      return withMessage(new NewerEntryError(failure, ''), failure)
    case 'erasure-refused':
      return withMessage(new ErasureRefusedError(failure.seq, ''), failure)
    case 'open':
      return new StoreOpenError(failure.code, failure.message)
    case 'write':
      return new StoreWriteError(failure.code, failure.message, { told: failure.told })
    case 'read':
      return new StoreReadError(failure.message, { told: failure.told })
    case 'defect':
      return new Error(`A database thread met a defect: ${failure.message}`)
  }
}

/** The message was made where the error was found. */
function withMessage(error: Error, { message }: { readonly message: string }): Error {
  error.message = message
  return error
}
