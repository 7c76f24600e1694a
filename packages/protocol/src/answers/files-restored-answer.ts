import * as z from 'zod'

/** What a restoration of files did. [WS1] */
export const FilesRestoredAnswer = z.object({
  /** `seq` of the change set that the restoration is; null when nothing had to be changed. */
  seq: z.int().positive().nullable(),
  restored: z.array(z.string()),
  conflicts: z.array(z.object({ path: z.string(), reason: z.string() })),
})
