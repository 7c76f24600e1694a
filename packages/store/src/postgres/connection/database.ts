import { type Clock, StoreOpenError, StoreReadError, StoreWriteError } from '@holdfast/conversation'
import pg from 'pg'
import { type ConnectionFacts, prepareConnection, transactionSettings } from './connection-settings.ts'
import { type AccessKind, DatabaseRefusal, type Naming, toStoreError } from './database-failures.ts'
import { numericTypes } from './numeric-types.ts'
import type { WhileBusy } from './start-patience.ts'

/** Runs one statement and gives its rows. */
export type Sql = <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** The connections to one database. Every statement has a time limit; every failure says which database. */
export interface Database {
  /**
   * Reads on one connection; each statement sees what is committed when it starts.
   *
   * @throws {StoreReadError} when the database refused.
   */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>

  /**
   * Writes in one transaction: when this resolves, all of it is committed and synced; when it rejects, it
   * is committed once or not at all, and not at all unless the connection was lost at its end.
   *
   * @throws {StoreWriteError} when the database refused, and what `work` throws.
   */
  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>

  /** As `write`, with statements that may take as long as an operator's work takes. */
  maintain<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>

  /** Writes with one statement, which is a transaction of its own. */
  writeOnce<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]>

  /** Runs work on a connection that it opens itself; `close` waits for it too. */
  beside<Result>(work: () => Promise<Result>): Promise<Result>

  /** Waits for what was begun, then closes. */
  close(): Promise<void>
}

/** Where the database is, and how much of it to use. */
export interface DatabaseOptions {
  readonly connectionString: string
  /** The database's name in messages. */
  readonly server: string
  readonly clock: Clock
  /** The most connections that are open at a time. */
  readonly poolSize: number
  /** The version of the schema that is known here. */
  readonly schemaVersion: number
  readonly limits: DatabaseLimits
  /** What a start waits with for a connection, beyond the limit. */
  readonly whileBusy: WhileBusy
}

/** How long things may take, in milliseconds. */
export interface DatabaseLimits {
  /** A statement: the server ends it then. */
  readonly statementMs: number
  /** A statement of an operator's work, such as a deletion of a long log. */
  readonly maintenanceMs: number
  /** How much longer to wait for the server's word that it has ended one, before the connection is given up. */
  readonly silenceMs: number
  /** A connection: until the server takes it, or until one that is in use is free. */
  readonly connectMs: number
}

/** The limits that every store has. */
export const DATABASE_LIMITS: DatabaseLimits = {
  statementMs: 15_000,
  maintenanceMs: 30 * 60_000,
  silenceMs: 3_000,
  connectMs: 10_000,
}

/** Connections that nobody uses are closed after this time. */
const IDLE_MS = 60_000

/** A pool of connections. It opens none before it is used. */
export function createDatabase(options: DatabaseOptions): Database {
  const { connectionString, server, clock, poolSize, schemaVersion, limits, whileBusy } = options
  const factsOf = new WeakMap<pg.ClientBase, ConnectionFacts>()
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: limits.connectMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: 'holdfast',
    types: numericTypes(),
    verify: (client, done) => {
      // A connection that ends fails what is under way on it; the event says nothing more.
      client.on('error', () => {})
      const prepared = prepareConnection(client, { statementLimitMs: limits.statementMs, schemaVersion })
      withinLimit(prepared, { clock, limitMs: limits.connectMs }).then(
        (facts) => {
          factsOf.set(client, facts)
          done()
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
  // An idle connection that ends is replaced when one is needed; whoever needs it meets the error then.
  pool.on('error', () => {})

  let closing: Promise<void> | null = null
  const underWay = new Set<Promise<unknown>>()
  const track = async <Result>(work: Promise<Result>): Promise<Result> => {
    underWay.add(work)
    try {
      return await work
    } finally {
      underWay.delete(work)
    }
  }

  const connect = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect()
    } catch (error) {
      if (error instanceof StoreOpenError) {
        const code = error.code === 'not-writable' ? 'not-writable' : 'unreachable'
        throw new DatabaseRefusal(code, `cannot be used any more (${error.message})`, { cause: error })
      }
      if (isQueueTimeout(error)) {
        throw new DatabaseRefusal(
          'busy',
          `had no free connection for ${limits.connectMs} ms (all ${poolSize} are in use)`,
        )
      }
      throw error
    }
  }

  const onConnection = async <Result>(
    kind: AccessKind,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> => {
    const naming = { kind, server }
    const client = await named(whileBusy(connect), naming)
    const connection = openConnection(client, { clock, naming, limits, facts: factsOf.get(client) ?? null })
    try {
      return await work(connection)
    } finally {
      connection.release()
    }
  }

  const refuseClosed = () => {
    if (closing)
      throw new StoreWriteError('closed', `The store on ${server} is closed; open it again`, { told: CLOSED })
  }
  const write = <Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> => {
    refuseClosed()
    return track(onConnection('write', work))
  }

  return {
    read: async (work) => {
      if (closing) throw new StoreReadError(`The store on ${server} is closed; open it again`, { told: CLOSED })
      return track(onConnection('read', ({ single }) => single(work)))
    },
    write: async (work) => write((connection) => connection.transaction(limits.statementMs, work)),
    maintain: async (work) => write((connection) => connection.transaction(limits.maintenanceMs, work)),
    writeOnce: async (text, values) => write(({ single }) => single((sql) => sql(text, values))),
    beside: async (work) => {
      refuseClosed()
      return track(work())
    },
    close: () => {
      closing ??= Promise.allSettled(underWay).then(() => pool.end())
      return closing
    },
  }
}

/** The pool's own words for a wait in its queue, where every connection is in use. It has no class for it. */
function isQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

/** What the database refuses is named where it happens; what else `work` throws goes on as it is. */
async function named<Result>(work: Promise<Result>, naming: Naming): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw toStoreError(error, naming)
  }
}

/** What everybody is told of a store that was closed. */
const CLOSED = 'The database is closed.'

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** One connection, for as long as one piece of work needs it. */
interface Connection {
  readonly sql: Sql
  /** Runs statements of which each is for itself: behind a pooler in a transaction, which has the settings. [SCALE16] */
  single<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  transaction<Result>(limitMs: number, work: (sql: Sql) => Promise<Result>): Promise<Result>
  /** Gives it back, or closes it when it cannot be used again. */
  release(): void
}

interface ConnectionDeps {
  readonly clock: Clock
  readonly naming: Naming
  readonly limits: DatabaseLimits
  readonly facts: ConnectionFacts | null
}

function openConnection(client: pg.PoolClient, { clock, naming, limits, facts }: ConnectionDeps): Connection {
  let broken = false
  const noteBroken = () => {
    broken = true
  }
  client.on('error', noteBroken)

  let limitMs = limits.statementMs
  const pooledCommit = facts?.isPooled === true ? facts.synchronousCommit : null
  /** `values` are null where the text has several statements. */
  const run = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] | null) => {
    try {
      const answer = values === null ? client.query<Row>(text) : client.query<Row>(text, [...values])
      return await withinLimit(answer, { clock, limitMs: limitMs + limits.silenceMs })
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) broken = true
      throw toStoreError(error, naming)
    }
  }
  const sql: Sql = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) =>
    (await run<Row>(text, values)).rows

  const transaction: Connection['transaction'] = async (statementLimitMs, work) => {
    await run(BEGIN, [])
    try {
      if (pooledCommit !== null) await run(transactionSettings(pooledCommit, statementLimitMs), null)
      else if (statementLimitMs !== limitMs)
        await run(`SELECT set_config('statement_timeout', $1, true)`, [String(statementLimitMs)])
      limitMs = statementLimitMs
      const result = await work(sql)
      const { command } = await run('COMMIT', [])
      // A server answers COMMIT of a failed transaction with ROLLBACK, and without an error.
      if (command !== 'COMMIT')
        throw toStoreError(new DatabaseRefusal('busy', `ended the transaction with ${command}`), naming)
      return result
    } catch (error) {
      await rollBack(client, { run, isBroken: () => broken })
      throw error
    }
  }

  return {
    sql,
    transaction,
    single: (work) => (pooledCommit === null ? work(sql) : transaction(limits.statementMs, work)),
    release: () => {
      client.off('error', noteBroken)
      client.release(broken || client.getTransactionStatus() !== 'I')
    },
  }
}

/** A connection that cannot roll back is closed, and the server rolls back when it notices. */
async function rollBack(
  client: pg.PoolClient,
  { run, isBroken }: { run: (text: string, values: readonly unknown[]) => Promise<unknown>; isBroken: () => boolean },
): Promise<void> {
  if (isBroken() || client.getTransactionStatus() === 'I') return
  try {
    await run('ROLLBACK', [])
  } catch {
    // `release` sees that the transaction is still open.
  }
}

/** The server keeps the limit itself; this one is for a server, or a network, that says nothing any more. */
async function withinLimit<Result>(
  answer: Promise<Result>,
  { clock, limitMs }: { clock: Clock; limitMs: number },
): Promise<Result> {
  let cancel = () => {}
  const limit = new Promise<never>((_, reject) => {
    cancel = clock.after(limitMs, () => {
      reject(new DatabaseRefusal('unreachable', `did not answer within ${limitMs} ms`))
    })
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    cancel()
  }
}
