/** A part of a file, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** The one part that is asked for: null for the whole, also where several are; `unsatisfiable` for none of it (RFC 9110, 14). */
export function byteRange(header: string | undefined, sizeBytes: number): ByteRange | null | 'unsatisfiable' {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const count = Math.min(Number(to), sizeBytes)
    return count === 0 ? 'unsatisfiable' : { first: sizeBytes - count, last: sizeBytes - 1 }
  }
  const first = Number(from)
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (to !== '' && Number(to) < first) return null
  return first >= sizeBytes ? 'unsatisfiable' : { first, last }
}
