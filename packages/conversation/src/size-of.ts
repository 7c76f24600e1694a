/** About how many bytes a value of JSON takes: its texts by their length, all else by a few. It is not written out for that. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return FEW
  let sum = FEW
  for (const part of Object.values(value)) sum += sizeOf(part)
  return sum
}

const FEW = 8
