/** Milliseconds since the Unix epoch with fractions, steady while a process lives and the same in all of a machine. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now()
}
