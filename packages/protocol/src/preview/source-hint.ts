import * as z from 'zod'

/** What an element of a previewed page says of where it is made. */
export const SourceHint = z.object({
  framework: z.enum(['react', 'vue', 'svelte']),
  /** The stack of the element's making, as the browser wrote it. */
  stack: z.string().max(4_000).exactOptional(),
  /** Where the framework says it itself. */
  file: z.string().max(4_000).exactOptional(),
  line: z.int().positive().exactOptional(),
  column: z.int().nonnegative().exactOptional(),
  component: z.string().max(100).exactOptional(),
  /** Present when it is of an element around. */
  isNear: z.literal(true).exactOptional(),
})
export type SourceHint = z.infer<typeof SourceHint>
