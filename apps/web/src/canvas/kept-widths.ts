import * as z from 'zod'

/** Widths that a person gave to columns of one table, in pixels, by the column's place from 0. */
export type Widths = Readonly<Record<string, number>>

const Kept = z.array(z.object({ table: z.string(), widths: z.record(z.string(), z.int().positive()) }))

/** The tables with widths of their own, the newest first. */
export type KeptWidths = readonly { readonly table: string; readonly widths: Widths }[]

const KEY = 'holdfast.table-widths'

/** Of more tables than this the widths are forgotten, those first that were not changed for longest. */
const MOST_TABLES = 200

/** The widths that are kept in this browser; none for a table that has no name to keep them under. */
export function readWidths(table: string | null): Widths {
  return read().find((kept) => kept.table === table)?.widths ?? {}
}

/** Keeps the widths of a table in this browser: they belong to who looks, and to no conversation. */
export function keepWidths(table: string | null, widths: Widths): void {
  if (table !== null) localStorage.setItem(KEY, JSON.stringify(withTable(read(), table, widths)))
}

/** The kept widths with those of one table; a table whose columns have all been given back is not kept. */
export function withTable(kept: KeptWidths, table: string, widths: Widths): KeptWidths {
  const others = kept.filter((one) => one.table !== table)
  const own = Object.keys(widths).length === 0 ? [] : [{ table, widths }]
  return [...own, ...others].slice(0, MOST_TABLES)
}

/** What cannot be read counts as not kept. */
function read(): KeptWidths {
  try {
    return Kept.catch([]).parse(JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return []
  }
}
