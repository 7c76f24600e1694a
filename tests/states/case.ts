import type { Cut } from './cut.ts'
import type { State } from './states.ts'
import type { WireFormat } from './wire-formats.ts'

/** A turn in one format that is cut in one state. */
export interface Case {
  readonly cut: Cut
  readonly state: State
  readonly format: WireFormat
}
