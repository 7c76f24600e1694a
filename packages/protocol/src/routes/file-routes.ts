import { ChangeTarget } from '@holdfast/conversation'
import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { conversation, nothing, seqText } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

const HunkRow = z.object({
  /** Hash of path and changed lines: one change has one id, wherever it stands in the file. */
  id: z.string(),
  /** Number of its first line, from 1; 0 where that text has no lines. */
  oldStart: z.int().nonnegative(),
  newStart: z.int().nonnegative(),
  /** As in a unified diff: a space, `-` or `+` before each, and `\\` for a missing line end. */
  lines: z.array(z.string()),
  /** `rejected`: it is not there any more. `overwritten`: something else changed these lines since. */
  state: z.enum(['open', 'kept', 'rejected', 'overwritten']),
})

/** A changed file, folder or link, as a person reviews it. [WS9] */
export const ChangedFileRow = z.object({
  path: z.string(),
  /** Where it was before, when it was moved. */
  from: z.string().exactOptional(),
  /** Names this change of this file: another one has another id. */
  id: z.string(),
  status: z.enum(['added', 'changed', 'deleted', 'renamed']),
  /** Absent for a file. */
  entity: z.enum(['folder', 'link']).exactOptional(),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
  /** Empty for what is no text, and for what changed in its rights or its place alone. */
  hunks: z.array(HunkRow),
  /** Bytes before and after, where it is a file that is no text. */
  bytes: z.object({ before: z.int().nullable(), after: z.int().nullable() }).exactOptional(),
  /** Rights before and after, where they differ, as the system counts them. */
  rights: z.object({ before: z.int(), after: z.int() }).exactOptional(),
  /** Where a link leads, before and after. */
  leads: z.object({ before: z.string().nullable(), after: z.string().nullable() }).exactOptional(),
  /** Present where there are too many lines to show: it is kept or rejected as a whole. */
  isCut: z.literal(true).exactOptional(),
  /** What rejecting it does: `nothing` for what is as it was before already, and for a conflict. */
  act: z.enum(['create', 'change', 'delete', 'nothing']),
  /** Why it cannot be rejected as a whole; null where nothing stands against it. */
  conflict: z.string().nullable(),
  isKept: z.boolean(),
  /** Present where no tool told the change: it was seen around a call, and is taken back only where that is asked for too. [TOOL15] */
  seenOnly: z.literal(true).exactOptional(),
})
export type ChangedFileRow = z.infer<typeof ChangedFileRow>

/** The files that a conversation changed, by its tools, commands and servers. */
export const fileRoutes = {
  readChanges: {
    method: 'GET',
    path: '/conversations/:id/changes',
    access: 'owner',
    params: conversation,
    /**
     * One of the three: those of a run, the change set of one entry, or since when: the last turn that changed files, the
     * beginning of the conversation, the commit that its branch began at, or an entry. Without any: of the conversation.
     */
    query: z.strictObject({
      run: OutsideId.exactOptional(),
      set: seqText.exactOptional(),
      since: z.union([z.enum(['turn', 'conversation', 'base']), seqText]).exactOptional(),
    }),
    body: nothing,
    answers: {
      200: z.object({
        /** What was asked about, as `decide` wants it. */
        target: ChangeTarget,
        /** The commit that they are compared with; null where that is what stood in the log. */
        base: z.string().nullable(),
        /** In the order in which they can be taken back. */
        files: z.array(ChangedFileRow),
      }),
    },
  },
} as const satisfies Readonly<Record<string, Route>>
