import * as z from 'zod'
import { InputContent } from '../content.ts'
import { entryOf } from '../envelope.ts'
import { Scheduled } from './scheduled.ts'

/** Where an input joins: `turn` starts one of its own, `steer` joins the running one at its next tool boundary. */
export const Lane = z.enum(['turn', 'steer'])
export type Lane = z.infer<typeof Lane>

/** Something to answer was accepted, and waits. */
export const InputAdmitted = entryOf('input-admitted', {
  inputId: z.string().min(1),
  lane: Lane,
  origin: z.enum(['person', 'schedule', 'preview', 'api', 'canvas']),
  content: InputContent,
  /** The occurrence that it is, where its origin is a schedule. */
  schedule: Scheduled.exactOptional(),
})

/** A waiting input got other words, another lane, another place, or a lock while someone edits it. */
export const InputChanged = entryOf('input-changed', {
  inputId: z.string().min(1),
  content: InputContent.exactOptional(),
  lane: Lane.exactOptional(),
  /** Its new place among the waiting inputs, from 0. */
  position: z.int().nonnegative().exactOptional(),
  /** The client that edits it, or null when nobody does. [STOP9] */
  lockedBy: z.string().nullable().exactOptional(),
  /** A person wants it sent before all others, also before what is held. [STOP11] */
  sendNow: z.literal(true).exactOptional(),
})

/** A waiting input was taken out; it is never sent. */
export const InputRemoved = entryOf('input-removed', { inputId: z.string().min(1) })

/** From now on nothing of the queue is sent by itself. [STOP9] */
export const QueueHeld = entryOf('queue-held', {
  reason: z.enum(['stopped', 'failed', 'interrupted', 'person']),
})

/** The queue goes on. */
export const QueueReleased = entryOf('queue-released', {})
