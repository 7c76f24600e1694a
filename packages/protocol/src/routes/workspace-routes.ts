import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** The id of the workspace that the start names. */
export const START_WORKSPACE = 'workspace_start'

/** How much may be said of a workspace, in characters unless the name says otherwise. */
export const WORKSPACE_LIMITS = { name: 80, root: 4_096, peopleCount: 100 } as const

/** Who may use a workspace beside its owner: nobody, everyone of the installation, or people by their ids. */
export const WorkspaceAccess = z.union([
  z.literal('owner'),
  z.literal('everyone'),
  z.array(z.string().min(1).max(200)).min(1).max(WORKSPACE_LIMITS.peopleCount),
])
export type WorkspaceAccess = z.infer<typeof WorkspaceAccess>

/** What a person says of a workspace, beside its folder. */
const workspaceFields = {
  name: z.string().trim().min(1).max(WORKSPACE_LIMITS.name),
  access: WorkspaceAccess,
  /** Whether the words of AGENTS.md and CLAUDE.md in the folder go to the model, as data of the folder. */
  readsInstructions: z.boolean(),
}

/** A folder that conversations may work in, as a person who may use it sees it. [WS6] */
export const WorkspaceRow = z.object({
  id: z.string(),
  /** Grows with every change; 0 for the one that the start names. */
  version: z.int().nonnegative(),
  ...workspaceFields,
  access: z.union([z.literal('owner'), z.literal('everyone'), z.array(z.string())]),
  /** The real path on the server. */
  root: z.string(),
  /** Whether git keeps it. */
  isGit: z.boolean(),
  /** Whether the folder is there now. */
  isThere: z.boolean(),
  /** `start`: named by the option, the variable or the file; nobody changes it here. */
  origin: z.enum(['start', 'own', 'shared']),
  canChange: z.boolean(),
})
export type WorkspaceRow = z.infer<typeof WorkspaceRow>

const oneWorkspace = z.object({ workspaceId: OutsideId })

/**
 * The workspaces, the files of one as a person finds them to name one, and as they are before a call changes them.
 * Everyone sees those that they may use; administrators open them.
 */
export const workspaceRoutes = {
  listWorkspaces: {
    method: 'GET',
    path: '/workspaces',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: {
      200: z.object({
        workspaces: z.array(WorkspaceRow),
        /** Whether whoever asks may open folders. */
        canOpen: z.boolean(),
      }),
    },
  },
  openWorkspace: {
    method: 'POST',
    path: '/workspaces',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      /** A folder on the server, as an absolute path. */
      root: z.string().min(1).max(WORKSPACE_LIMITS.root),
      /** Absent: the name of the folder. */
      name: workspaceFields.name.exactOptional(),
    }),
    /** 200: this person has opened the folder before. */
    answers: { 200: WorkspaceRow, 201: WorkspaceRow },
  },
  readWorkspace: {
    method: 'GET',
    path: '/workspaces/:workspaceId',
    access: 'user',
    params: oneWorkspace,
    query: nothing,
    body: nothing,
    answers: { 200: WorkspaceRow },
  },
  changeWorkspace: {
    method: 'PATCH',
    path: '/workspaces/:workspaceId',
    access: 'user',
    scope: 'tools',
    params: oneWorkspace,
    query: nothing,
    /** What is absent stays. `version`: the one that was read. */
    body: z.strictObject({
      version: z.int().positive(),
      name: workspaceFields.name.exactOptional(),
      access: workspaceFields.access.exactOptional(),
      readsInstructions: workspaceFields.readsInstructions.exactOptional(),
    }),
    answers: { 200: WorkspaceRow },
  },
  closeWorkspace: {
    method: 'DELETE',
    path: '/workspaces/:workspaceId',
    access: 'user',
    scope: 'tools',
    params: oneWorkspace,
    query: nothing,
    body: nothing,
    /** Nothing in the folder is touched; conversations that work in it have no folder from then on. */
    answers: { 200: z.object({ workspaceId: z.string() }) },
  },
  listFolders: {
    method: 'GET',
    path: '/folders',
    access: 'admin',
    params: nothing,
    query: z.strictObject({
      /** An absolute path; absent: where a choice begins. */
      path: z.string().min(1).max(WORKSPACE_LIMITS.root).exactOptional(),
    }),
    body: nothing,
    answers: {
      200: z.object({
        path: z.string(),
        /** Null at the top of what may be opened. */
        parent: z.string().nullable(),
        /** Folders only, by name; hidden ones and what belongs to the server are left out. */
        folders: z.array(z.object({ name: z.string(), path: z.string(), isGit: z.boolean() })),
        /** Whether some were left out because there are more than are listed. */
        isCut: z.boolean(),
        /** Whether this folder itself may be opened, and why not. */
        refusal: z.string().nullable(),
      }),
    },
  },
  findFiles: {
    method: 'GET',
    path: '/workspace/files',
    access: 'user',
    params: nothing,
    query: z.strictObject({
      /** In the path of each file, in this order; empty for any. */
      words: z.string().max(500).default(''),
      /** The conversation whose folder is looked into; absent: that of one that has not begun. */
      conversationId: OutsideId.exactOptional(),
      /** The workspace that one which has not begun would have; absent: the one of the installation. */
      workspaceId: OutsideId.exactOptional(),
    }),
    body: nothing,
    answers: {
      200: z.object({
        /** Null where there is no folder. */
        folder: z.string().nullable(),
        /** Paths from the folder, those first whose name begins with the words. */
        files: z.array(z.string()),
      }),
    },
  },
  readMap: {
    method: 'GET',
    path: '/conversations/:id/map',
    access: 'owner',
    params: z.object({ id: OutsideId }),
    query: z.strictObject({
      /** What the map is to be about; empty: what others refer to most. */
      focus: z.string().max(2_000).default(''),
      page: z.coerce.number().int().min(1).max(20).default(1),
    }),
    body: nothing,
    answers: {
      200: z.object({
        /** Null where there is no folder, or it could not be drawn in time. */
        map: z
          .object({
            text: z.string(),
            /** Of the text, estimated. */
            tokens: z.int().nonnegative(),
            /** Files that it names. */
            shownCount: z.int().nonnegative(),
            fileCount: z.int().nonnegative(),
            /** Files that are known by their names alone, for lack of time. */
            unreadCount: z.int().nonnegative(),
            hasMore: z.boolean(),
          })
          .nullable(),
      }),
    },
  },
  previewCall: {
    method: 'GET',
    path: '/conversations/:id/permissions/:requestId/preview',
    access: 'owner',
    params: z.object({ id: OutsideId, requestId: OutsideId }),
    query: nothing,
    body: nothing,
    answers: {
      200: z.object({
        /** Where the call would work; null where there is no folder. */
        folder: z.string().nullable(),
        /** The text of the file that it would change, as it is now; null where there is none, or it is no short text. */
        before: z.string().nullable(),
      }),
    },
  },
} as const satisfies Readonly<Record<string, Route>>
