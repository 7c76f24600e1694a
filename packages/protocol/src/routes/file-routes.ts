import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { conversation, nothing, seqText } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** What a restoration would do to one file. */
export const FileToRestoreRow = z.object({
  path: z.string(),
  /** Absent for a file. */
  entity: z.enum(['folder', 'link']).exactOptional(),
  /** `nothing` for a file that is as it was before the changes already, and for a conflict. */
  act: z.enum(['create', 'change', 'delete', 'nothing']),
  /** A unified diff from what the changes left to what stood there before them. */
  diff: z.string(),
  /** Why it is left alone; null where nothing stands against it. */
  conflict: z.string().nullable(),
  /** Present where no tool told the change: it was seen around a call, and comes back only where that is asked for too. [TOOL15] */
  seenOnly: z.literal(true).exactOptional(),
})
export type FileToRestoreRow = z.infer<typeof FileToRestoreRow>

/** The files that a conversation changed, by its tools, commands and servers. */
export const fileRoutes = {
  planRestore: {
    method: 'GET',
    path: '/conversations/:id/changed-files',
    access: 'owner',
    params: conversation,
    /** One of the three: all of a run, the change set of one entry, or all that came after an entry. */
    query: z.strictObject({
      run: OutsideId.exactOptional(),
      set: seqText.exactOptional(),
      since: seqText.exactOptional(),
    }),
    body: nothing,
    answers: { 200: z.object({ files: z.array(FileToRestoreRow) }) },
  },
} as const satisfies Readonly<Record<string, Route>>
