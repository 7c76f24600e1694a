/** A JSON object whose members are not known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** Says whether a value is a JSON object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object, else an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {}
}

/** The value if it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value if it is a string, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The parsed text, or undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Members whose own order reaches the model's prompt, so it is kept. */
const KEPT_ORDER = new Set(['input', 'args', 'input_schema', 'inputSchema', 'parameters', 'response', 'json'])

/**
 * One spelling for equal blocks: members sorted, those named in `without` left out at every depth.
 * What a model wrote or a tool answered keeps its order.
 */
export function canonicalJson(value: unknown, without: ReadonlySet<string>): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, without)).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value)
    .filter((key) => !without.has(key) && value[key] !== undefined)
    .sort()
    .map((key) => {
      const member = value[key]
      return `${JSON.stringify(key)}:${KEPT_ORDER.has(key) ? JSON.stringify(member) : canonicalJson(member, without)}`
    })
  return `{${members.join(',')}}`
}
