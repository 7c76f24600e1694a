import { type Clock, createTurns, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import * as z from 'zod'
import type { Seal } from './seal.ts'

/** A row of a table of accounts: a flat object with its `id`. Times are in ISO form. */
export type Row = Readonly<Record<string, string | number | boolean | null>>

/** The tables. `verification` is asked for by better-auth and stays empty. */
export type TableName = 'user' | 'session' | 'account' | 'verification' | 'api-key'

/**
 * The tables of accounts: kept in the records, and whole in memory, since every request asks them. What another
 * process wrote is there after `refresh`.
 */
export interface AccountTables {
  /** Brings what is in memory up to date. */
  refresh(): Promise<void>
  rows(table: TableName): readonly Row[]
  row(table: TableName, id: string): Row | null
  /** Adds a row; durable when it resolves. Null when its id is taken. */
  insert(table: TableName, row: Row): Promise<Row | null>
  /** Changes some fields of a row; null when it is gone. */
  change(table: TableName, id: string, fields: Row): Promise<Row | null>
  /** @returns whether it was there. */
  remove(table: TableName, id: string): Promise<boolean>
  /** Calls after every change of a row, by this process or, at a `refresh`, another. @returns the end of it. */
  onChanged(listener: () => void): () => void
}

/** What they need. */
export interface AccountTablesDeps {
  readonly records: Records
  readonly clock: Clock
  /** Seals the tokens of sessions. */
  readonly seal: Seal
}

/** Everything belongs to the installation, not to one user. */
const OWNER_ID = 'installation'

const PAGE = 500

const RowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const KINDS = {
  user: { kind: 'account-user', schema: RowSchema },
  session: { kind: 'account-session', schema: RowSchema },
  account: { kind: 'account-password', schema: RowSchema },
  verification: { kind: 'account-verification', schema: RowSchema },
  'api-key': { kind: 'account-api-key', schema: RowSchema },
} as const satisfies Readonly<Record<TableName, RecordKind<Record<string, string | number | boolean | null>>>>

const TABLES: readonly TableName[] = ['user', 'session', 'account', 'verification', 'api-key']

interface Kept {
  readonly revision: number
  readonly row: Row
}

/** Reads all tables and keeps them. */
export async function createAccountTables({ records, clock, seal }: AccountTablesDeps): Promise<AccountTables> {
  const tables = new Map<TableName, Map<string, Kept>>(TABLES.map((table) => [table, new Map()]))
  const listeners = new Set<() => void>()
  let cursor = 0
  const inTurn = createTurns()

  function of(table: TableName): Map<string, Kept> {
    const found = tables.get(table)
    if (!found) throw new Error(`There is no table ${table}`)
    return found
  }

  function keep(table: TableName, id: string, kept: Kept): Row {
    const known = of(table).get(id)
    if (!known || known.revision <= kept.revision) of(table).set(id, kept)
    return kept.row
  }

  function tell(): void {
    for (const listener of listeners) listener()
  }

  async function readNews(): Promise<void> {
    for (;;) {
      const news = await records.changes(cursor, PAGE)
      let isOurs = false
      for (const { change, kind, ownerId, id, deleted } of news) {
        const table = TABLES.find((name) => KINDS[name].kind === kind)
        if (table && ownerId === OWNER_ID) {
          isOurs = (await take(table, id, deleted)) || isOurs
        }
        cursor = change
      }
      if (isOurs) tell()
      if (news.length < PAGE) return
    }
  }

  /** @returns whether it is news. */
  async function take(table: TableName, id: string, deleted: boolean): Promise<boolean> {
    if (deleted) return of(table).delete(id)
    const known = of(table).get(id)
    const found = await records.get(KINDS[table], { ownerId: OWNER_ID, id })
    if (!found || found.revision === known?.revision) return false
    const row = opened(table, found.value)
    if (row) keep(table, id, { revision: found.revision, row })
    return true
  }

  /** A session whose token cannot be read any more is none. */
  function opened(table: TableName, row: Row): Row | null {
    if (table !== 'session') return row
    const token = seal.open(String(row['token']), String(row['id']))
    return token === null ? null : { ...row, token }
  }

  async function put(table: TableName, { revision, row }: Kept): Promise<Row> {
    const id = String(row['id'])
    const value = table === 'session' ? { ...row, token: seal.seal(String(row['token']), id) } : { ...row }
    const written = await records.put(KINDS[table], { ownerId: OWNER_ID, id, revision, value, at: clock.now() })
    keep(table, id, { revision: written.revision, row })
    tell()
    return row
  }

  async function refresh(): Promise<void> {
    // One after the other, so that each caller sees what was written before it asked.
    await inTurn(readNews)
  }

  await refresh()

  return {
    refresh,
    rows: (table) => [...of(table).values()].map(({ row }) => row),
    row: (table, id) => of(table).get(id)?.row ?? null,
    async insert(table, row) {
      try {
        return await put(table, { revision: 0, row })
      } catch (error) {
        if (error instanceof RevisionConflictError) return null
        throw error
      }
    },
    async change(table, id, fields) {
      for (;;) {
        const known = of(table).get(id)
        if (!known) return null
        try {
          return await put(table, { revision: known.revision, row: { ...known.row, ...fields, id } })
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
          await refresh()
        }
      }
    },
    async remove(table, id) {
      for (;;) {
        const known = of(table).get(id)
        if (!known) return false
        try {
          await records.remove(KINDS[table], { ownerId: OWNER_ID, id, revision: known.revision })
          of(table).delete(id)
          tell()
          return true
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
          await refresh()
        }
      }
    },
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
