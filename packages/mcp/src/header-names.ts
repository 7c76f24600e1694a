import type { Json } from '@holdfast/conversation'

/** By this word a schema says that an argument is sent as a header too. */
const HEADER_WORD = 'x-mcp-header'
/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/**
 * What is wrong with the headers that the schema of a tool names; null for nothing. A tool whose schema breaks these
 * rules must not be called at an address. [TOOL9]
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function wrongHeaderName(schema: Json): string | null {
  const names = new Set<string>()
  const open: SchemaPart[] = [{ part: schema, isReached: true, isArgument: false }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, isReached, isArgument } = next
    if (typeof part !== 'object' || part === null) continue
    if (isList(part)) {
      for (const item of part) open.push({ part: item, isReached: false, isArgument: false })
      continue
    }
    const problem = HEADER_WORD in part ? problemOf(part, isArgument) : null
    if (problem !== null) return problem
    const name = part[HEADER_WORD]
    if (typeof name === 'string') {
      if (names.has(name.toLowerCase())) return `it names the header ${name} twice`
      names.add(name.toLowerCase())
    }
    for (const [key, value] of Object.entries(part)) {
      const isOwn = isReached && key === 'properties' && isRecord(value)
      for (const member of isOwn ? Object.values(value) : [value])
        open.push({ part: member, isReached: isOwn, isArgument: isOwn })
    }
  }
  return null
}

/** A part of a schema, and whether nothing but names of properties leads to it. */
interface SchemaPart {
  readonly part: Json
  readonly isReached: boolean
  readonly isArgument: boolean
}

function problemOf(part: Readonly<Record<string, Json>>, isArgument: boolean): string | null {
  const name = part[HEADER_WORD]
  if (!isArgument) return 'it names a header for what is no argument of its own'
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'it names a header that none can have'
  return TYPES.has(part['type'])
    ? null
    : `it names the header ${name} for an argument that is no text, number or yes and no`
}

/** `Array.isArray` does not narrow a read-only array. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isRecord(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
