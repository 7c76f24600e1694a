import type { Overview } from '@holdfast/conversation'

/** Whether calls of the run at work wait for their results: until then no request can be composed. */
export function hasOpenCalls({ runState: { exclusive } }: Pick<Overview, 'runState'>): boolean {
  return exclusive !== null && exclusive.openCalls.length > 0
}
