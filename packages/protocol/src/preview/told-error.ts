import * as z from 'zod'

const ms = z.number().nonnegative().max(1e12)

/** One error of a previewed page, with how often it came. */
export const ToldError = z.object({
  kind: z.enum(['error', 'rejection', 'console', 'resource', 'overlay']),
  name: z.string().max(200),
  message: z.string().max(2_000),
  stack: z.string().max(6_000).exactOptional(),
  count: z.int().nonnegative(),
  /** How long ago it came first and last. */
  firstMsAgo: ms,
  lastMsAgo: ms,
})
export type ToldError = z.infer<typeof ToldError>
