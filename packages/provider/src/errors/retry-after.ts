type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** How long the headers ask to wait, in milliseconds, or null: milliseconds first, then seconds or a date. */
export function retryAfterOf(headers: Headers, nowMs: number): number | null {
  const milliseconds = numberIn(headers['retry-after-ms'])
  if (milliseconds !== null) return Math.ceil(milliseconds)
  const seconds = numberIn(headers['retry-after'])
  if (seconds !== null) return Math.ceil(seconds * 1_000)
  const date = headers['retry-after']
  const at = typeof date === 'string' && /^[A-Za-z]{3,}/.test(date) ? Date.parse(date) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

function numberIn(value: string | readonly string[] | undefined): number | null {
  return typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : null
}
