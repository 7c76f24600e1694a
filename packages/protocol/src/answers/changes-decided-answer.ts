import * as z from 'zod'

/** What became of decisions about changes of files. [WS9] */
export const ChangesDecidedAnswer = z.object({
  /** `seq` of the change set that the rejections are; null when no file had to be changed. */
  seq: z.int().positive().nullable(),
  restored: z.array(z.string()),
  conflicts: z.array(z.object({ path: z.string(), reason: z.string() })),
})
