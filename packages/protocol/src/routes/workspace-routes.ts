import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** The files of a workspace, as a person finds them to name one, and as they are before a call changes them. */
export const workspaceRoutes = {
  findFiles: {
    method: 'GET',
    path: '/workspace/files',
    access: 'user',
    params: nothing,
    query: z.strictObject({
      /** In the path of each file, in this order; empty for any. */
      words: z.string().max(500).default(''),
      /** The conversation whose folder is looked into; absent: the folder of one that has chosen none. */
      conversationId: OutsideId.exactOptional(),
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
