import * as z from 'zod'
import { OutsideId } from './sent-content.ts'

/** No parameters, query or body that is looked at. */
export const nothing = z.unknown()

/** The parameters of a route about one conversation. */
export const conversation = z.object({ id: OutsideId })

/** Where the log ends after a command. */
export const done = z.object({ conversationId: z.string(), seq: z.int().nonnegative() })

/** A `seq` in a query. */
export const seqText = z.coerce.number().int().nonnegative()

/** How many rows, at most. */
export function limitUpTo(most: number, usual: number) {
  return z.coerce.number().int().min(1).max(most).default(usual)
}
