import * as z from 'zod'
import { entryOf, runEntryOf } from '../envelope.ts'

/** A summary stands for all before the kept part in every later request. [CHK1] */
export const CheckpointMade = entryOf('checkpoint-made', {
  runId: z.string().exactOptional(),
  source: z.enum(['auto', 'person', 'edit']),
  /** The range of the log that the summary stands for. */
  coversFromSeq: z.int().positive(),
  coversToSeq: z.int().positive(),
  /** First entry that is still sent as it is. */
  keptFromSeq: z.int().positive(),
  summary: z.string().min(1),
  /** What the person wrote in the covered part and is carried word for word, by `seq`. [CHK4] */
  verbatimSeqs: z.array(z.int().positive()),
  /** What the person wrote there and is not carried over, for the card; absent where all of it is. [CHK4] */
  listedSeqs: z.array(z.int().positive()).exactOptional(),
  focus: z.string().exactOptional(),
})

/** A checkpoint no longer counts; requests hold what it covered again, as far as it fits. [CHK7] */
export const CheckpointUndone = entryOf('checkpoint-undone', { checkpointSeq: z.int().positive() })

/** A person pinned a message of their own, so that every checkpoint carries it over, or took the pin off. [CHK4] */
export const PinChanged = entryOf('pin-changed', {
  /** The `user-message-sent` that it is about. */
  messageSeq: z.int().positive(),
  isPinned: z.boolean(),
})

/** A person left the result of a call out of later requests, or takes it back. [TOOL10] */
export const ExclusionChanged = entryOf('exclusion-changed', {
  /** The `tool-call-settled` that it is about. */
  resultSeq: z.int().positive(),
  isExcluded: z.boolean(),
})

/** The window starts at another exchange. [WIN4] */
export const WindowMoved = entryOf('window-moved', {
  startSeq: z.int().positive(),
  /** The checkpoint that counts, which may stand before the start; absent where there is none. */
  checkpointSeq: z.int().positive().exactOptional(),
  /** Messages that are no longer sent. */
  leftOutCount: z.int().nonnegative(),
})

/** A fact that changes by itself, as the model is told it from here on. Frozen once sent. [REQ6] */
export const ContextNoted = entryOf('context-noted', {
  section: z.enum(['time', 'canvas', 'memories', 'workspace', 'map', 'instructions', 'schedules']),
  text: z.string(),
  /** The one agent that is told; absent for every agent. [AGENT4] */
  agentId: z.string().min(1).exactOptional(),
})

/** What the model is told of a stop. [STOP7] */
export const StopNoted = runEntryOf('stop-noted', { text: z.string().min(1) })
