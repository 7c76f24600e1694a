import * as z from 'zod'
import { CanvasOperation } from '../canvas/canvas-operation.ts'
import { BlobReference } from '../content.ts'
import { Actor, entryOf } from '../envelope.ts'

/** The canvas of an agent changed; `operations` are applied in their order. [CANVAS1] */
export const CanvasChanged = entryOf('canvas-changed', {
  agentId: z.string().min(1),
  operations: z.array(CanvasOperation).min(1).max(100),
  /** The tool call that asked for it. */
  callId: z.string().exactOptional(),
  /** The canvas's version after the operations. */
  version: z.int().positive(),
})

/** Which changes of files are meant: all of a run, those of one entry, all that came after an entry, or all since the branch's base. */
export const ChangeTarget = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('run'), runId: z.string().min(1) }),
  z.strictObject({ type: z.literal('set'), seq: z.int().positive() }),
  z.strictObject({ type: z.literal('since'), seq: z.int().nonnegative() }),
  z.strictObject({ type: z.literal('base') }),
])
export type ChangeTarget = z.infer<typeof ChangeTarget>

/** Rights of a file or folder, as the system counts them, without those that change who runs it. */
const Mode = z.int().min(0).max(0o777)

/** Why what stood in a place was not kept, so that it cannot be shown or brought back. */
export const NotKept = z.enum(['too-large', 'too-many', 'left-out', 'hard-linked', 'unreadable', 'not-seen'])
export type NotKept = z.infer<typeof NotKept>

/** Files were really written, moved or deleted. */
export const FilesChanged = entryOf('files-changed', {
  runId: z.string().exactOptional(),
  callId: z.string().exactOptional(),
  /** What a person brought back by it. */
  restores: ChangeTarget.exactOptional(),
  /** What was left alone on the way. */
  conflicts: z.array(z.object({ path: z.string().min(1), reason: z.string() })).exactOptional(),
  changes: z
    .array(
      z.object({
        /** Relative to the workspace, with forward slashes; `.` for the workspace itself. */
        path: z.string().min(1),
        kind: z.enum(['created', 'changed', 'deleted']),
        /** What stands there; absent for a file. The body of a link is where it leads; a folder has none. */
        entity: z.enum(['folder', 'link']).exactOptional(),
        before: BlobReference.exactOptional(),
        after: BlobReference.exactOptional(),
        modeBefore: Mode.exactOptional(),
        modeAfter: Mode.exactOptional(),
        /** Present where a body is missing. */
        notKept: NotKept.exactOptional(),
        /**
         * Present where no tool told it: it was seen by looking at the folder before and after a call. `with-others`:
         * another conversation was at work in the folder meanwhile.
         */
        seen: z.enum(['alone', 'with-others']).exactOptional(),
      }),
    )
    .min(1),
})

/** A person decided about changes of files: what is kept, and what was rejected and is taken back. [WS9] */
export const ChangesDecided = entryOf('changes-decided', {
  target: ChangeTarget,
  /** By the ids of files and hunks; null for one that is open again. */
  marks: z.array(z.object({ path: z.string().min(1), id: z.string().min(1), keep: z.boolean().nullable() })),
  /** What was left alone on the way. */
  conflicts: z.array(z.object({ path: z.string().min(1), reason: z.string() })).exactOptional(),
  /** What the model is told with its next request; absent where nothing was rejected. */
  note: z.string().min(1).exactOptional(),
})

/** A call really saved, changed or deleted a memory of the conversation's owner. */
export const MemoryChanged = entryOf('memory-changed', {
  runId: z.string().exactOptional(),
  callId: z.string().exactOptional(),
  memoryId: z.string().min(1),
  /** The one agent that is told it; null for every agent of the owner. */
  agentId: z.string().min(1).nullable(),
  /** What is remembered since, or null when it was deleted. */
  text: z.string().nullable(),
})

/** A process of an external agent serves the conversation. */
export const AgentAttached = entryOf('agent-attached', {
  agentId: z.string().min(1),
  sessionId: z.string(),
  /** Whether each of its requests has a record of its own, by the gateway; absent in logs of before this was noted. [AGENT13] */
  isMetered: z.boolean().exactOptional(),
})

/** The external agent's process is gone. */
export const AgentDetached = entryOf('agent-detached', { agentId: z.string().min(1), reason: z.string() })

/** What follows or precedes came from another program's log. */
export const Imported = entryOf('imported', {
  source: z.object({
    format: z.string().min(1),
    id: z.string().min(1),
    name: z.string(),
    /** How many records the source had: a later import goes on behind them. */
    recordCount: z.int().nonnegative().exactOptional(),
  }),
  skippedCount: z.int().nonnegative(),
})

/** What an erased entry was about: names, without content. */
export const ErasedIds = z.object({
  runId: z.string().exactOptional(),
  stepId: z.string().exactOptional(),
  callId: z.string().exactOptional(),
  requestId: z.string().exactOptional(),
  questionId: z.string().exactOptional(),
  inputId: z.string().exactOptional(),
  /** The elements of a canvas that a person answered: they stay answered. [UI48] */
  answered: z.object({ agentId: z.string().min(1), elementIds: z.array(z.string().min(1)).min(1) }).exactOptional(),
})

/** Who erased something, when, and what went in the same act; nothing of the words. [LOG9] */
export const ErasureReceipt = z.object({
  reason: z.string().min(1),
  /** Milliseconds since the Unix epoch. */
  erasedAt: z.int().nonnegative(),
  /** Absent where that was not told. */
  erasedBy: Actor.exactOptional(),
  /** The kinds of entries that the act erased, this one included, and how many of each. */
  together: z.record(z.string(), z.int().positive()).exactOptional(),
})

/** The tombstone of an entry whose body was erased; it stands at the entry's own place. [LOG9] */
export const BodyErased = entryOf('body-erased', {
  erasedType: z.string().min(1),
  of: ErasedIds,
  ...ErasureReceipt.shape,
})
