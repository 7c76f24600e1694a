import type { Draft } from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'
import type { DraftWriter } from './draft-writer.ts'
import type { LiveLog } from './live-log.ts'
import type { PathReader } from './path-reader.ts'

/** A run that works here, and what it works with. */
export interface RunAtWork {
  readonly ports: EnginePorts
  readonly log: LiveLog
  readonly path: PathReader
  readonly writer: DraftWriter
  readonly runId: string
  /** Whose conversation it is. */
  readonly ownerId: string
  readonly epoch: number
  /** Aborted by a stop, a shutdown or a lost lease. */
  readonly signal: AbortSignal
  /** Aborted when the source is no longer waited for. [STOP10] */
  readonly cut: AbortSignal
  readonly onDraft: (draft: Draft | null) => void
  /** Told of what went wrong without ending the run. */
  readonly onFault: (error: unknown) => void
}
