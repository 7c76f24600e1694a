import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { conversation, nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** A worktree that was made for a conversation, as it stands. [WS8] */
export const WorktreeRow = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** The top of the repository that it was made from, a real path on the server. */
  repository: z.string(),
  /** Its own folder. */
  folder: z.string(),
  branch: z.string(),
  /** The branch that it began at; null where that was a commit alone. */
  baseBranch: z.string().nullable(),
  /** Whether its first commit is what was not committed where it began: a merge would bring that, too. [WS40] */
  isCarried: z.boolean(),
  /** `busy`: it is being made, removed or restored. */
  state: z.enum(['ready', 'removed', 'busy']),
  /** Why it went, in words; null while it is there. */
  removedBy: z.string().nullable(),
  /** Whether what was not committed when it went is kept. */
  hasSnapshot: z.boolean(),
  /** Null where it has no folder now, or cannot be looked at. */
  now: z
    .object({
      sizeBytes: z.int().nonnegative(),
      /** Whether something in it is not committed. */
      isDirty: z.boolean(),
      /** Commits that its base does not have, but for what came along uncommitted. */
      ahead: z.int().nonnegative(),
      /** Commits of its base that it does not have. */
      behind: z.int().nonnegative(),
      /** Whether something in it stands nowhere else, neither in its base nor in the folder that it was made of. [WS41] */
      hasOwnWork: z.boolean(),
    })
    .nullable(),
  /** Why it cannot be looked at; null where it can. */
  problem: z.string().nullable(),
  createdAt: z.number(),
})
export type WorktreeRow = z.infer<typeof WorktreeRow>

/** What becomes of the work in a worktree. [WS10] */
export const FinishHow = z.enum(['merge', 'apply', 'branch', 'push', 'pull-request', 'discard'])
export type FinishHow = z.infer<typeof FinishHow>

const oneWorktree = z.object({ worktreeId: OutsideId })

/** Worktrees of conversations: made, listed, finished, removed and brought back. Administrators see those of all. */
export const worktreeRoutes = {
  listWorktrees: {
    method: 'GET',
    path: '/worktrees',
    access: 'user',
    params: nothing,
    /** Absent: those of all conversations. */
    query: z.object({ conversationId: OutsideId.exactOptional() }),
    body: nothing,
    answers: { 200: z.object({ worktrees: z.array(WorktreeRow) }) },
  },
  makeWorktree: {
    method: 'POST',
    path: '/conversations/:id/worktree',
    access: 'owner',
    scope: 'tools',
    params: conversation,
    query: nothing,
    body: z.strictObject({
      commandId: OutsideId,
      /** What its branch is named after; absent: the title of the conversation. */
      title: z.string().trim().min(1).max(200).exactOptional(),
    }),
    /** The conversation works in it from its next request on. One that has a worktree is given that. */
    answers: { 200: WorktreeRow },
  },
  finishWorktree: {
    method: 'POST',
    path: '/conversations/:id/finish',
    access: 'owner',
    scope: 'tools',
    params: conversation,
    query: nothing,
    body: z.strictObject({
      commandId: OutsideId,
      how: FinishHow,
      /** The message of what is committed; absent: the title of the conversation. */
      message: z.string().trim().min(1).max(2_000).exactOptional(),
    }),
    answers: {
      200: z.object({
        how: FinishHow,
        branch: z.string(),
        /** The commit that the work ended with. */
        commit: z.string(),
        /** The branch that it went into; null where it went into none. */
        base: z.string().nullable(),
        /** Where a pull request is, or is opened; null for none. */
        link: z.string().nullable(),
        isRemoved: z.boolean(),
        /** What was done, in words. */
        message: z.string(),
      }),
    },
  },
  restoreWorktree: {
    method: 'POST',
    path: '/worktrees/:worktreeId/restore',
    access: 'user',
    scope: 'tools',
    params: oneWorktree,
    query: nothing,
    body: nothing,
    answers: { 200: WorktreeRow },
  },
  removeWorktree: {
    method: 'DELETE',
    path: '/worktrees/:worktreeId',
    access: 'user',
    scope: 'tools',
    params: oneWorktree,
    query: nothing,
    body: nothing,
    /** What was not committed is kept; its branch stays where it has commits of its own. */
    answers: { 200: WorktreeRow },
  },
} as const satisfies Readonly<Record<string, Route>>
