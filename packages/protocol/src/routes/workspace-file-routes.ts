import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** What is asked for and answered at most, in characters and pieces. */
export const WORKSPACE_FILE_LIMITS = { path: 4_096, words: 500, page: 5_000, seenCount: 200, waitMs: 25_000 } as const

const path = z.string().min(1).max(WORKSPACE_FILE_LIMITS.path)
const oneWorkspace = z.object({ workspaceId: OutsideId })
/** A conversation that works in the workspace: then in its place, a folder of it or a worktree. Absent: in the workspace itself. */
const conversationId = OutsideId.exactOptional()
const oneFile = z.strictObject({ path, conversationId })

/** How a file stands against the last commit. */
export const FileMark = z.enum(['new', 'changed', 'deleted', 'conflict'])
export type FileMark = z.infer<typeof FileMark>

/** A file or folder as somebody knows it. `stamp`: what it was known by; empty for one that is not known yet. */
const SeenPlace = z.object({ path, stamp: z.string().max(200) })

/**
 * The files of a workspace, for whoever may use it, asked at each request. Paths go from the folder of the place; none of
 * them leads out of it. [WS16, WS17, WS18]
 */
export const workspaceFileRoutes = {
  readTree: {
    method: 'GET',
    path: '/workspaces/:workspaceId/tree',
    access: 'user',
    params: oneWorkspace,
    query: z.strictObject({
      /** A folder; absent: that of the place. */
      path: path.default('.'),
      conversationId,
      /** Entries before the first that is wanted. */
      from: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(WORKSPACE_FILE_LIMITS.page).default(1_000),
    }),
    body: nothing,
    answers: {
      200: z.object({
        /** The folder of the place on the server. */
        folder: z.string(),
        path: z.string(),
        /** Folders first, then by name. */
        entries: z.array(
          z.object({
            name: z.string(),
            type: z.enum(['file', 'folder', 'link', 'other']),
            /** Whether `.gitignore` files name it. */
            isIgnored: z.boolean(),
          }),
        ),
        /** Of all that the folder holds. */
        totalCount: z.int().nonnegative(),
        /** Whether it holds more than are counted. */
        isCut: z.boolean(),
      }),
    },
  },
  readMarks: {
    method: 'GET',
    path: '/workspaces/:workspaceId/marks',
    access: 'user',
    params: oneWorkspace,
    query: z.strictObject({ conversationId }),
    body: nothing,
    answers: {
      200: z.object({
        /** Null where git does not keep the folder, or did not say. */
        branch: z.string().nullable(),
        /** Files, and folders with `/` at their end in which everything is new. */
        marks: z.array(z.object({ path: z.string(), mark: FileMark })),
        /** Whether there are more. */
        isCut: z.boolean(),
      }),
    },
  },
  readFile: {
    method: 'GET',
    path: '/workspaces/:workspaceId/file',
    access: 'user',
    gives: 'application/octet-stream',
    params: oneWorkspace,
    query: oneFile,
    body: nothing,
    /** With `Range: bytes=FROM-TO` 206 and these. `ETag`: the hash of the whole content; none where it is too large to be saved. */
    answers: { 200: z.string(), 206: z.string() },
  },
  saveFile: {
    method: 'PUT',
    path: '/workspaces/:workspaceId/file',
    access: 'user',
    scope: 'tools',
    takes: 'application/octet-stream',
    params: oneWorkspace,
    query: oneFile,
    body: z.unknown(),
    /** `If-Match` is the `ETag` that was read, or `If-None-Match: *` for a new file; 412 where something else stands there. */
    answers: {
      200: z.object({ path: z.string(), hash: z.string() }),
      201: z.object({ path: z.string(), hash: z.string() }),
    },
  },
  searchWorkspace: {
    method: 'GET',
    path: '/workspaces/:workspaceId/search',
    access: 'user',
    params: oneWorkspace,
    query: z.strictObject({
      /** The letters themselves, in whatever case. */
      q: z.string().min(1).max(WORKSPACE_FILE_LIMITS.words),
      conversationId,
    }),
    body: nothing,
    answers: {
      200: z.object({
        /** Files whose path holds the words, the nearest first. */
        paths: z.array(z.string()),
        /** Lines that hold them; what `.gitignore` files name is left out. */
        files: z.array(
          z.object({ path: z.string(), lines: z.array(z.object({ line: z.int().positive(), text: z.string() })) }),
        ),
        /** Whether there may be more. */
        isCut: z.boolean(),
      }),
    },
  },
  watchFiles: {
    method: 'POST',
    path: '/workspaces/:workspaceId/watch',
    access: 'user',
    scope: 'read',
    params: oneWorkspace,
    query: nothing,
    body: z.strictObject({
      conversationId,
      seen: z.array(SeenPlace).max(WORKSPACE_FILE_LIMITS.seenCount),
      waitMs: z.int().min(0).max(WORKSPACE_FILE_LIMITS.waitMs),
    }),
    answers: {
      200: z.object({
        /** Those that are not what they were known as, with what they are known by now; `gone` for what is not there. */
        changed: z.array(SeenPlace),
        /** Whether something was written in one of the folders, though the same names stand in it. */
        isTouched: z.boolean(),
      }),
    },
  },
} as const satisfies Readonly<Record<string, Route>>
