import * as z from 'zod'
import { OutsideId } from '../parts/sent-content.ts'

/** How large a terminal may be, and how much is sent to it at once, in UTF-16 code units. */
export const TERMINAL_BOUNDS = { mostColumns: 400, mostRows: 200, inputLength: 65_536 } as const

const size = {
  columns: z.int().min(2).max(TERMINAL_BOUNDS.mostColumns),
  rows: z.int().min(1).max(TERMINAL_BOUNDS.mostRows),
}

/** What a client asks of terminals. [WS25] */
export const terminalClientFrames = [
  /**
   * Looks at a terminal of a conversation. With `isNew` it is made where there is none of this id, which the client
   * makes up; asked again after a break of the line, it finds the same one.
   */
  z.strictObject({
    type: z.literal('terminal-open'),
    terminalId: OutsideId,
    conversationId: OutsideId,
    isNew: z.boolean(),
    ...size,
  }),
  z.strictObject({
    type: z.literal('terminal-input'),
    terminalId: OutsideId,
    text: z.string().min(1).max(TERMINAL_BOUNDS.inputLength),
  }),
  z.strictObject({ type: z.literal('terminal-resize'), terminalId: OutsideId, ...size }),
  /** What was sent up to there is drawn: more may come. `through`: the `end` of an output. [WS28] */
  z.strictObject({ type: z.literal('terminal-read'), terminalId: OutsideId, through: z.int().nonnegative() }),
  /** Looks at it no longer; with `ends` it is ended with all that it started. */
  z.strictObject({ type: z.literal('terminal-close'), terminalId: OutsideId, ends: z.boolean() }),
] as const

/** What a server tells of the terminals that a client looks at. */
export const terminalServerFrames = [
  /** What follows as output draws the whole screen anew, in a terminal of this size. */
  z.object({ type: z.literal('terminal-open'), terminalId: z.string(), columns: z.int(), rows: z.int() }),
  /** `end`: how much of it this client was sent with it, in UTF-16 code units. */
  z.object({ type: z.literal('terminal-output'), terminalId: z.string(), text: z.string(), end: z.int() }),
  z.object({ type: z.literal('terminal-resize'), terminalId: z.string(), columns: z.int(), rows: z.int() }),
  /** It has ended. `exitCode`: that of its shell, null where a signal ended it or nobody knows. */
  z.object({ type: z.literal('terminal-close'), terminalId: z.string(), exitCode: z.int().nullable() }),
] as const
