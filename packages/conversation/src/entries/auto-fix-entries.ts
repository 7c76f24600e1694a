import * as z from 'zod'
import { entryOf } from '../envelope.ts'

/** How auto-fix ended, until a person writes or switches it on again. [WS4] */
export const AutoFixOutcome = z.enum([
  'fixed',
  'same-error',
  'more-errors',
  'attempts',
  'budget',
  'stopped',
  'typing',
  'failed',
])
export type AutoFixOutcome = z.infer<typeof AutoFixOutcome>

/** The most different errors that are kept of a preview. [PREV5] */
export const MOST_PREVIEW_ERRORS = 20

const attempts = z.int().nonnegative().max(3)

/** Auto-fix was switched, asked for a repair, or came to an end. Its counter is made of these entries alone. [WS4] */
export const AutoFixChanged = entryOf('auto-fix-changed', {
  previewId: z.string().min(1),
  change: z.discriminatedUnion('type', [
    /** `capUsd`: what its attempts for one message of a person may cost, in US dollars. */
    z.object({ type: z.literal('switched'), isOn: z.boolean(), capUsd: z.number().nonnegative() }),
    z.object({
      type: z.literal('attempted'),
      attempt: z.int().positive().max(3),
      /** The input that asks for the repair; it is admitted in the same append. */
      inputId: z.string().min(1),
      /** The errors that it is asked to mend. */
      signatures: z.array(z.string().min(1)).min(1).max(MOST_PREVIEW_ERRORS),
      /** How many different errors there were. */
      distinctCount: z.int().positive(),
    }),
    z.object({ type: z.literal('ended'), outcome: AutoFixOutcome, attempts, costUsd: z.number().nonnegative() }),
  ]),
})
