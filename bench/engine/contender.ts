import type { DeltaOrder } from './delta-script.ts'

/** Something that makes turns and shows their deltas as they come. */
export interface Contender {
  /** Makes one turn, keeps its answer, and gives the number of deltas that were shown. */
  turn(order: DeltaOrder): Promise<number>
  close(): Promise<void>
}
