import pg from 'pg'

/** Our bigints are counts and milliseconds, far below 2^53: numbers. */
export function numericTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  types.setTypeParser(20, Number)
  return types
}
