import type { Clock } from '@holdfast/conversation'
import type { InParts } from '@holdfast/tool'

/** So long it works before others have their turn, in milliseconds. */
const PART_MS = 5

/** Does long work to its end; whatever else waits, such as text that streams, goes on in between. */
export async function doInParts<Result>(
  work: InParts<Result>,
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
): Promise<Result> {
  let begun = clock.monotonicMs()
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    if (clock.monotonicMs() - begun < PART_MS) continue
    await new Promise<void>((resolve) => {
      clock.after(0, resolve)
    })
    begun = clock.monotonicMs()
  }
}
