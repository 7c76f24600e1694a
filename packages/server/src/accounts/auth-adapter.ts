import { createAdapterFactory, type DBAdapterInstance } from 'better-auth/adapters'
import * as z from 'zod'
import type { AccountTables, Row, TableName } from './account-tables.ts'
import { matchRows, sortRows } from './match-rows.ts'

const Fields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]).optional())

const ModelName = z.enum(['user', 'session', 'account', 'verification'])

/** Lets better-auth keep what it keeps in the tables of accounts. */
export function createAuthAdapter(tables: AccountTables): DBAdapterInstance {
  return createAdapterFactory({
    config: {
      adapterId: 'holdfast-records',
      adapterName: 'Holdfast records',
      supportsDates: false,
      supportsJSON: false,
      supportsBooleans: true,
      supportsNumericIds: false,
      transaction: false,
    },
    adapter: () => {
      const found = (model: string, where: Parameters<typeof matchRows>[1]) =>
        matchRows(tables.rows(tableOf(model)), where)

      return {
        async create({ model, data }) {
          const row = toRow(data)
          const inserted = await tables.insert(tableOf(model), row)
          if (!inserted) throw new Error(`${model} ${String(row['id'])} exists already`)
          return data
        },
        async findOne<Result>({ model, where }: Query) {
          return asResult<Result>(found(model, where)[0] ?? null)
        },
        async findMany<Result>({ model, where, limit, sortBy, offset }: ManyQuery) {
          const rows = found(model, where ?? [])
          const sorted = sortBy ? sortRows(rows, sortBy) : rows
          return sorted.slice(offset ?? 0, (offset ?? 0) + limit).map((row) => asResult<Result>(row))
        },
        async update<Result>({ model, where, update }: Query & { update: Result }) {
          const [row] = found(model, where)
          if (!row) return null
          return asResult<Result>(await tables.change(tableOf(model), String(row['id']), toRow(update)))
        },
        async updateMany({ model, where, update }) {
          const rows = found(model, where)
          for (const row of rows) await tables.change(tableOf(model), String(row['id']), toRow(update))
          return rows.length
        },
        async delete({ model, where }) {
          const [row] = found(model, where)
          if (row) await tables.remove(tableOf(model), String(row['id']))
        },
        async deleteMany({ model, where }) {
          const rows = found(model, where)
          for (const row of rows) await tables.remove(tableOf(model), String(row['id']))
          return rows.length
        },
        async count({ model, where }) {
          return found(model, where ?? []).length
        },
      }
    },
  })
}

interface Query {
  readonly model: string
  readonly where: Parameters<typeof matchRows>[1]
}

interface ManyQuery {
  readonly model: string
  readonly where?: Query['where'] | undefined
  readonly limit: number
  readonly sortBy?: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined
  readonly offset?: number | undefined
}

function tableOf(model: string): TableName {
  return ModelName.parse(model)
}

/** A field that is not there is not written; better-auth means the same by it. */
function toRow(data: unknown): Row {
  const fields = Object.entries(Fields.parse(data))
  return Object.fromEntries(fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}

/** better-auth names the type of what it is given back; it reads only fields that it has written. */
function asResult<Result>(row: Row): Result
function asResult<Result>(row: Row | null): Result | null
function asResult(row: Row | null): unknown {
  return row && { ...row }
}
