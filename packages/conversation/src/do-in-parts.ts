import type { Clock } from './ports.ts'

/** Work that may be laid down between its parts, each of which takes a moment, and that ends with a result. */
export type InParts<Result> = Generator<undefined, Result, undefined>

/** So long work goes on before others have their turn, in milliseconds. */
export const PART_MS = 5

/** Does long work to its end; whatever else waits, such as text that streams, goes on in between. */
export async function doInParts<Result>(
  work: InParts<Result>,
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
): Promise<Result> {
  let begun = clock.monotonicMs()
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    if (clock.monotonicMs() - begun < PART_MS) continue
    await othersTurn(clock)
    begun = clock.monotonicMs()
  }
}

/** Resolves when whatever waits, such as text that streams, has had its turn. */
export function othersTurn(clock: Pick<Clock, 'after'>): Promise<void> {
  return new Promise((resolve) => {
    clock.after(0, resolve)
  })
}
