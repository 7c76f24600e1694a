/** Makes text unable to open or close a mark. [REQ7] */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The text, or its beginning and end with a line between that says how much is left out. [REQ7] */
export function bounded(text: string, limitChars: number): string {
  const whole = text.toWellFormed()
  if (whole.length <= limitChars) return whole
  const { head, tail, leftOutChars } = endsOf(whole, limitChars)
  return `${head}\n[… ${leftOutChars} characters left out …]\n${tail}`
}

/** The beginning of a text of one line. */
export function clipped(text: string, limitChars: number): string {
  const whole = text.toWellFormed()
  return whole.length <= limitChars ? whole : `${whole.slice(0, beforePair(whole, limitChars))}…`
}

/** Limits for the texts of one item, so that together they keep within its limit. [WIN3] */
export function sharedLimits(texts: readonly string[], limitChars: number): number[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  if (total <= limitChars) return texts.map((text) => text.length)
  return texts.map((text) => Math.floor((limitChars * text.length) / total))
}

/** An excerpt of a text that is too large, with where to read the rest. [WIN3] */
export function excerpt(text: string, options: { readonly limitChars: number; readonly reference: string }): string {
  const { limitChars, reference } = options
  const whole = text.toWellFormed()
  if (whole.length <= limitChars) return whole
  const { head, tail, leftOutChars } = endsOf(whole, limitChars)
  const mark = `[… excerpt: ${leftOutChars} of ${whole.length} characters left out; read_result ${reference} gives all …]`
  return `${head}\n${mark}\n${tail}`
}

/**
 * JSON text whose strings are valid UTF-16. The bytes stay as they came unless an escape stands for half a
 * character, which providers refuse.
 */
export function wellFormedJson(json: string): string {
  const text = json.toWellFormed()
  // Most have no such escape, and may be long.
  if (!/\\ud/i.test(text)) return text
  return text.replaceAll(
    /\\\\|\\u(d[89ab][0-9a-f]{2})(\\ud[c-f][0-9a-f]{2})?|\\ud[c-f][0-9a-f]{2}/gi,
    (match, high, low) => (match === '\\\\' || (high !== undefined && low !== undefined) ? match : '\\ufffd'),
  )
}

/** Beginning and end, cut between characters; the beginning is what most readers need. */
function endsOf(text: string, limitChars: number): { head: string; tail: string; leftOutChars: number } {
  const headChars = Math.ceil(limitChars * 0.7)
  const head = text.slice(0, beforePair(text, headChars))
  const tail = text.slice(afterPair(text, text.length - (limitChars - headChars)))
  return { head, tail, leftOutChars: text.length - head.length - tail.length }
}

function beforePair(text: string, index: number): number {
  return splitsPair(text, index) ? index - 1 : index
}

function afterPair(text: string, index: number): number {
  return splitsPair(text, index) ? index + 1 : index
}

function splitsPair(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}
