import * as z from 'zod'

/** A time as programs write it, in milliseconds since the Unix epoch; null where there is none that can be read. */
export function timeOf(value: unknown): number | null {
  if (typeof value === 'string') {
    const at = Date.parse(value)
    return Number.isFinite(at) && at >= 0 ? at : null
  }
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null
}

/** A time from seconds, with fractions. */
export function timeOfSeconds(value: unknown): number | null {
  return typeof value === 'number' ? timeOf(value * 1_000) : null
}

/** A figure that may be absent or not one at all. */
export const Figure = z.number().catch(0).default(0)

/** Text that may be absent or something else. */
export const OptionalText = z.string().nullish().catch(null)

/** A data URL in its parts, or null where it is none. */
export function readDataUrl(url: string): { mediaType: string; base64: string } | null {
  const match = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,/.exec(url.slice(0, 200))
  if (!match?.[1]) return null
  return { mediaType: match[1].toLowerCase(), base64: url.slice(match[0].length) }
}

/** JSON as an input's text. */
export function inputTextOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '{}')
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
