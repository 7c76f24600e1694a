/** What a value takes that holds no text, and what an object takes beside its values, in bytes: about what V8 needs. */
const VALUE_BYTES = 16
const OBJECT_BYTES = 48

/** About how many bytes plain data takes in memory; a letter may take two. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + 2 * value.length
  if (typeof value !== 'object' || value === null) return VALUE_BYTES
  let bytes = OBJECT_BYTES
  for (const part of Object.values(value)) bytes += sizeOf(part)
  return bytes
}

interface Measured {
  readonly part: unknown
  readonly bytes: number
}

/** Measures an object whose parts mostly stay the same: one that is the same as the last time is not walked again. */
export function createSizing(): (value: object) => number {
  let known: ReadonlyMap<string, Measured> = new Map()
  return (value) => {
    const parts = new Map<string, Measured>()
    let bytes = OBJECT_BYTES
    for (const [name, part] of Object.entries(value)) {
      const before = known.get(name)
      const measured = before !== undefined && before.part === part ? before : { part, bytes: sizeOf(part) }
      parts.set(name, measured)
      bytes += measured.bytes
    }
    known = parts
    return bytes
  }
}
