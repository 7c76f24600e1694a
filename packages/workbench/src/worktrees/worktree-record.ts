import type { RecordKind } from '@holdfast/conversation'
import * as z from 'zod'

/** How the setup command of a worktree ended. */
export const SetupEnd = z.object({
  command: z.string(),
  /** Null where it was stopped. */
  exitCode: z.int().nullable(),
  /** The end of what it printed, both outputs in their order. */
  output: z.string(),
  durationMs: z.number().nonnegative(),
})
export type SetupEnd = z.infer<typeof SetupEnd>

/** What is known of a worktree that was made here. A worktree without a record was made by somebody else. [WS8] */
export const WorktreeRecord = z.object({
  ownerId: z.string(),
  conversationId: z.string(),
  /** Whose disk it is on: several servers may share a store, and each has its own. */
  machine: z.string(),
  /** Real path of what all working trees of the repository share. */
  commonDir: z.string(),
  /** Real path of the person's own working tree, which it was made from. */
  top: z.string(),
  /** From a working tree's top to the folder that the conversation works in. */
  prefix: z.string(),
  /** The top of the worktree. */
  folder: z.string(),
  /** Short name. */
  branch: z.string(),
  /** The branch that it began at; null for a detached head. */
  baseBranch: z.string().nullable(),
  baseCommit: z.string(),
  /** Whether `baseCommit` is a commit of what was not committed where it began, made for it. [AGENT58] */
  isCarried: z.boolean().exactOptional(),
  /** `making`, `removing` and `restoring` are undone or finished by the next start. */
  state: z.enum(['making', 'ready', 'removing', 'removed', 'restoring']),
  setup: SetupEnd.nullable(),
  /** The commit of the branch when it was removed. */
  head: z.string().nullable(),
  /** Digest of the snapshot; null where there was nothing uncommitted. */
  snapshot: z.string().nullable(),
  /** Whether its branch stays when it goes. */
  keepsBranch: z.boolean(),
  /** Why it went, for people. */
  removedBy: z.string().nullable(),
  /** Commands to finish it that were carried out, with what they were answered. */
  finished: z.array(z.object({ commandId: z.string(), how: z.string(), answer: z.string() })),
  createdAt: z.number(),
})
export type WorktreeRecord = z.infer<typeof WorktreeRecord>

/** The table of worktrees. */
export const WORKTREES: RecordKind<WorktreeRecord> = { kind: 'worktree', schema: WorktreeRecord }

/** They stand together, whoever owns them. */
export const WORKTREE_SHELF = 'installation'
