import type { CleanedWhere } from 'better-auth/adapters'
import type { Row } from './account-tables.ts'

/** The rows that fit all clauses joined by AND and, where there are some, at least one of those joined by OR. */
export function matchRows(rows: readonly Row[], where: readonly CleanedWhere[]): readonly Row[] {
  const all = where.filter(({ connector }) => connector !== 'OR')
  const some = where.filter(({ connector }) => connector === 'OR')
  return rows.filter(
    (row) =>
      all.every((clause) => fits(row, clause)) && (some.length === 0 || some.some((clause) => fits(row, clause))),
  )
}

function fits(row: Row, { field, operator, value, mode }: CleanedWhere): boolean {
  const fold = (one: unknown): unknown =>
    mode === 'insensitive' && typeof one === 'string' ? one.toLowerCase() : toStored(one)
  const has = fold(row[field] ?? null)
  const wanted = fold(value)
  const list = Array.isArray(value) ? value.map(fold) : []
  switch (operator) {
    case 'eq':
    case undefined:
      return has === wanted
    case 'ne':
      return has !== wanted
    case 'in':
      return list.includes(has)
    case 'not_in':
      return !list.includes(has)
    case 'gt':
      return isAbove(has, wanted)
    case 'gte':
      return isAbove(has, wanted) || has === wanted
    case 'lt':
      return isAbove(wanted, has)
    case 'lte':
      return isAbove(wanted, has) || has === wanted
    case 'contains':
      return typeof has === 'string' && has.includes(String(wanted))
    case 'starts_with':
      return typeof has === 'string' && has.startsWith(String(wanted))
    case 'ends_with':
      return typeof has === 'string' && has.endsWith(String(wanted))
  }
}

/** As a row has it: times in ISO form, whose order is theirs. */
function toStored(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

function isAbove(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left > right
  return typeof left === 'string' && typeof right === 'string' && left > right
}

/** The rows in the order of a field. */
export function sortRows(
  rows: readonly Row[],
  sortBy: { readonly field: string; readonly direction: 'asc' | 'desc' },
): readonly Row[] {
  const { field, direction } = sortBy
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const left = a[field] ?? null
    const right = b[field] ?? null
    if (left === right) return 0
    return isAbove(left, right) ? sign : -sign
  })
}
