import * as z from 'zod'

/** What is said of what cannot be reached: copies that were made before. [LOG9] */
const backups = z.string()

/** What was remembered from it and is still: `DELETE /memories?conversationId=` forgets that as well. [LOG9] */
const memoryIds = z.array(z.string())

/** What became of a conversation that is deleted. */
export const DeletionAnswer = z.object({ conversationId: z.string(), kept: z.string(), backups, memoryIds })

/** What an erasure reaches, and what it does not. */
export const ErasureAnswer = z.object({
  conversationId: z.string(),
  /** Every entry that is erased, named or a copy, in the order of the log. */
  seqs: z.array(z.int().positive()),
  /** How many of them there are of each kind. */
  kinds: z.record(z.string(), z.int().positive()),
  /** Files and long results that they name; one that nothing else names is deleted. */
  fileCount: z.int().nonnegative(),
  isErased: z.boolean(),
  backups,
  memoryIds,
})
