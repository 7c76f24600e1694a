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
  /** Adds rows together, all or none; durable when it resolves. @returns false when one of their ids is taken. */
  insertTogether(rows: readonly { readonly table: TableName; readonly row: Row }[]): Promise<boolean>
  /**
   * Changes some fields of a row, decided by it and another as they are in memory: false when one of them is another by
   * now, whichever process changed it. They are read again then; decide again. [SCALE32]
   */
  changeAsRead(table: TableName, change: DecidedChange): Promise<boolean>
  /** Adds a row of a user, decided by what is in memory of them: false when their own row is another by now, as for a change. */
  insertOfUser(table: TableName, row: Row, userId: string): Promise<boolean>
  /** Changes some fields of a row; null when it is gone. */
  change(table: TableName, id: string, fields: Row): Promise<Row | null>
  /** @returns whether it was there. */
  remove(table: TableName, id: string): Promise<boolean>
  /** Calls after every change of a row, by this process or, at a `refresh`, another. @returns the end of it. */
  onChanged(listener: () => void): () => void
}

/** A change that was decided by what was read. */
export interface DecidedChange {
  readonly id: string
  readonly fields: Row
  /** The row that must stay as it was read; null for none. */
  readonly besideId: string | null
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
export async function createAccountTables(deps: AccountTablesDeps): Promise<AccountTables> {
  const { records, clock, seal } = deps
  const kept = createKeptRows(deps)
  const { of, refresh } = kept

  async function putTogether(puts: readonly Put[]): Promise<void> {
    const at = clock.now()
    const written = await records.putTogether(
      puts.map(({ table, revision, row }) => {
        const id = String(row['id'])
        const value = table === 'session' ? { ...row, token: seal.seal(String(row['token']), id) } : { ...row }
        return { kind: KINDS[table], write: { ownerId: OWNER_ID, id, revision, value, at } }
      }),
    )
    for (const [index, { table, row }] of puts.entries())
      kept.keep(table, String(row['id']), { revision: written[index]?.revision ?? 0, row })
    kept.tell()
  }

  /** @returns false when one of them is another by now; they are read again then. */
  async function putAsRead(puts: readonly Put[]): Promise<boolean> {
    try {
      await putTogether(puts)
      return true
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
      await refresh()
      return false
    }
  }

  await refresh()

  return {
    refresh,
    rows: (table) => [...of(table).values()].map(({ row }) => row),
    row: (table, id) => of(table).get(id)?.row ?? null,
    insert: async (table, row) => ((await putAsRead([{ table, revision: 0, row }])) ? row : null),
    insertTogether: (rows) => putAsRead(rows.map((row) => ({ ...row, revision: 0 }))),
    async insertOfUser(table, row, userId) {
      const user = of('user').get(userId)
      if (!user) return false
      return putAsRead([
        { table, revision: 0, row },
        { table: 'user', ...user },
      ])
    },
    async changeAsRead(table, { id, fields, besideId }) {
      const known = of(table).get(id)
      const beside = besideId === null ? [] : [of(table).get(besideId)]
      if (!known || beside.includes(undefined)) return false
      const changed = { table, revision: known.revision, row: { ...known.row, ...fields, id } }
      return putAsRead([changed, ...beside.flatMap((other) => (other ? [{ table, ...other }] : []))])
    },
    async change(table, id, fields) {
      for (;;) {
        const known = of(table).get(id)
        if (!known) return null
        const row = { ...known.row, ...fields, id }
        if (await putAsRead([{ table, revision: known.revision, row }])) return row
      }
    },
    async remove(table, id) {
      for (;;) {
        const known = of(table).get(id)
        if (!known) return false
        try {
          await records.remove(KINDS[table], { ownerId: OWNER_ID, id, revision: known.revision })
          of(table).delete(id)
          kept.tell()
          return true
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
          await refresh()
        }
      }
    },
    onChanged: kept.onChanged,
  }
}

type Put = Kept & { readonly table: TableName }

/** What is in memory of the tables, brought up to date by the feed of the records. */
interface KeptRows extends Pick<AccountTables, 'refresh' | 'onChanged'> {
  of(table: TableName): Map<string, Kept>
  keep(table: TableName, id: string, kept: Kept): void
  tell(): void
}

function createKeptRows({ records, seal }: AccountTablesDeps): KeptRows {
  const tables = new Map<TableName, Map<string, Kept>>(TABLES.map((table) => [table, new Map()]))
  const listeners = new Set<() => void>()
  let cursor = 0
  const inTurn = createTurns()

  function of(table: TableName): Map<string, Kept> {
    const found = tables.get(table)
    if (!found) throw new Error(`There is no table ${table}`)
    return found
  }

  function keep(table: TableName, id: string, kept: Kept): void {
    const known = of(table).get(id)
    if (!known || known.revision <= kept.revision) of(table).set(id, kept)
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

  return {
    of,
    keep,
    tell,
    // One after the other, so that each caller sees what was written before it asked.
    refresh: () => inTurn(readNews),
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
