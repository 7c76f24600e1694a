import { StoreReadError, StoreWriteError, type StoreWriteFailure } from '@holdfast/conversation'
import pg from 'pg'

/** What a database refused, in our words. */
export interface DatabaseFailure {
  readonly code: StoreWriteFailure
  /** What is so, as the end of a sentence that names the database. */
  readonly what: string
  /** What is so, without what the driver and the server say, which may name places. */
  readonly plain: string
  readonly cause: Error
}

/** What was being done when the database refused, and the database's name in messages. */
export interface Naming {
  readonly kind: AccessKind
  readonly server: string
}

/** Whether the database was being read or written. */
export type AccessKind = 'read' | 'write'

/** A refusal that neither the server nor the driver has an error for: a limit that we keep ourselves. */
export class DatabaseRefusal extends Error {
  override readonly name = 'DatabaseRefusal'
  readonly failure: StoreWriteFailure

  constructor(failure: StoreWriteFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/**
 * What kind of failure of the database an error is; null for one that is not the database's: our own
 * errors, and statements that it found to be wrong, which are defects and go on as they are.
 */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (error instanceof DatabaseRefusal)
    return { code: error.failure, what: error.message, plain: WORDS[error.failure], cause: error }
  if (error instanceof pg.DatabaseError) return serverFailure(error)
  if (error instanceof AggregateError) return unreached(error.errors.join('; '), error)
  return isConnectionError(error) ? unreached(error.message, error) : null
}

function unreached(why: string, cause: Error): DatabaseFailure {
  const plain = 'cannot be reached'
  return { code: 'unreachable', what: `${plain} (${why})`, plain, cause }
}

/** The error of a write, or of a read, that the database refused; any other error as it is. */
export function toStoreError(error: unknown, { kind, server }: Naming): unknown {
  const failure = databaseFailure(error)
  if (!failure) return error
  const { code, what, plain, cause } = failure
  const told = `The database ${plain}.`
  switch (kind) {
    case 'read':
      return new StoreReadError(`${server} ${what}. Nothing is known about what it holds; try again`, { cause, told })
    case 'write':
      return new StoreWriteError(code, `${server} ${what}. The write is not acknowledged; try it again`, {
        cause,
        told,
      })
  }
}

/** Whether the server could not read its own files: damage, and not a lost connection. */
export function isStorageFault(error: unknown): boolean {
  if (!(error instanceof StoreReadError || error instanceof StoreWriteError)) return false
  const { cause } = error
  return cause instanceof pg.DatabaseError && codeOf(cause.code ?? '') === 'disk-error'
}

/** By SQLSTATE. https://www.postgresql.org/docs/15/errcodes-appendix.html */
function serverFailure(error: pg.DatabaseError): DatabaseFailure | null {
  const code = codeOf(error.code ?? '')
  if (!code) return null
  const plain = WORDS[code]
  return { code, what: `${plain} (${error.message}, SQLSTATE ${error.code})`, plain, cause: error }
}

const WORDS: Readonly<Record<StoreWriteFailure, string>> = {
  'disk-full': 'has no space left on its disk',
  'not-writable': 'cannot be written to',
  busy: 'is too busy',
  'disk-error': 'has a fault in its storage',
  unreachable: 'has ended or refused the connection',
  closed: 'is closed',
}

const CODES: Readonly<Record<string, StoreWriteFailure>> = {
  '25006': 'not-writable', // read_only_sql_transaction
  '25P03': 'unreachable', // idle_in_transaction_session_timeout
  '40001': 'busy', // serialization_failure
  '40P01': 'busy', // deadlock_detected
  '42501': 'not-writable', // insufficient_privilege
  '53100': 'disk-full',
  '55P03': 'busy', // lock_not_available
  '57014': 'busy', // query_canceled: the time limit
  '3D000': 'unreachable', // invalid_catalog_name: the database was dropped
  XX000: 'disk-error', // internal_error
  XX001: 'disk-error', // data_corrupted
  XX002: 'disk-error', // index_corrupted
}

const CLASSES: Readonly<Record<string, StoreWriteFailure>> = {
  '08': 'unreachable', // connection exceptions
  '28': 'unreachable', // invalid authorization
  '53': 'busy', // insufficient resources: too many connections, out of memory
  '57': 'unreachable', // operator intervention: shutdown, crash, starting up
  '58': 'disk-error', // system errors: input and output
}

function codeOf(state: string): StoreWriteFailure | undefined {
  return CODES[state] ?? CLASSES[state.slice(0, 2)]
}

/** The driver has no class for what befalls a connection; what else it throws are TypeErrors and RangeErrors. */
function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false
  return error.constructor === Error
}
