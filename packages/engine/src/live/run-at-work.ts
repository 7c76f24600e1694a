import type { Overview } from '@holdfast/conversation'
import type { Ending } from '../api/ending.ts'
import type { EnginePorts } from '../api/ports.ts'
import type { LiveLog } from '../log/live-log.ts'
import type { PathReader } from '../log/path-reader.ts'
import type { Besides } from './besides.ts'
import { type DraftWriter, NO_DRAFT } from './draft-writer.ts'
import type { OpenDraft } from './open-draft.ts'

/** What runs under one lease have in common. */
export interface Tenure {
  /** Whether the lease is back, or goes back with what is being appended: nothing begins under it any more. [RUN32] */
  isGivenBack: boolean
  /** Whether nothing else works under the lease, and nothing waits for it, where the turn of this state ends like this. */
  readonly isLast: (state: Overview, ending: Ending) => boolean
}

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
  readonly tenure: Tenure
  readonly besides: Besides
  /** Aborted by a stop, a shutdown or a lost lease. */
  readonly signal: AbortSignal
  /** Aborted when the source is no longer waited for. [STOP10] */
  readonly cut: AbortSignal
  readonly onDraft: (draft: OpenDraft | null) => void
  /** Told of what went wrong without ending the run. */
  readonly onFault: (error: unknown) => void
}

/** The run with nothing of its answers seen as they come: they are no part of the conversation. [RUN3] */
export function unseen(atWork: RunAtWork): RunAtWork {
  return { ...atWork, writer: NO_DRAFT, onDraft() {} }
}
