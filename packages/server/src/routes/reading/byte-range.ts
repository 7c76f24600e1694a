/** Bytes from one place to another, both included, from 0. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** The one range that is asked for; null for what is none, is several, or lies behind the end: then all of it is given. */
export function rangeOf(asked: string | undefined, sizeBytes: number): ByteRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(asked ?? '') ?? []
  if (from === '' && to === '') return null
  const last = sizeBytes - 1
  const range =
    from === ''
      ? { from: Math.max(0, sizeBytes - Number(to)), to: last }
      : { from: Number(from), to: to === '' ? last : Math.min(last, Number(to)) }
  return range.from <= range.to ? range : null
}
