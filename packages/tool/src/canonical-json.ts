import type { Json } from '@holdfast/conversation'

/** One text for equal values: keys in order, no white space. Calls are compared by it. [RUN8] */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/** `Array.isArray` does not narrow a read-only array. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
