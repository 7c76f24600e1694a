/** Readers of values that came over the wire: they look, and never trust. Null means that it is not there. */

/** A JSON object of unknown content. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** The value as an object, or null. */
export function asRecord(value: unknown): JsonRecord | null {
  return isRecord(value) ? value : null
}

/** The value as a list; anything else is an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as a string, or null. */
export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The value as a count, or null: negative, fractional and endless figures are not counts. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** The value of JSON text, or undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a text is one whole JSON object. */
export function isObjectText(text: string): boolean {
  return isRecord(parseJson(text))
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
