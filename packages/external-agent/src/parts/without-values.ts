/** Shorter values are words such as `1` and `true`, and stand everywhere. */
const LEAST_CHARS = 12

/** A text of an agent without the values of its variables, which may be keys. [AGENT48, SEC4] */
export function withoutValues(text: string, env: Readonly<Record<string, string>>): string {
  const values = Object.values(env).filter((value) => value.length >= LEAST_CHARS)
  return values.reduce((left, value) => left.replaceAll(value, '…'), text)
}
