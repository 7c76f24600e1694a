import { MAX_PAGE_ENTRIES } from '@holdfast/conversation'
import * as z from 'zod'
import { CommandFrame } from '../commands/command-table.ts'
import { OutsideId } from '../parts/sent-content.ts'
import { terminalClientFrames } from './terminal-frames.ts'

/** What a client sends. Imperatives: each asks for something. */
export const ClientFrame = z.discriminatedUnion('type', [
  /** The first frame of every connection. `clientId` names the tab, for as long as it lives. */
  z.strictObject({ type: z.literal('hello'), protocol: z.int(), clientId: OutsideId }),
  /**
   * Send what came after `after`, then what follows. Also asked again after a gap. [SYNC1] With `tail`, of a
   * log that is longer only so many entries of its end are sent, after the overview of all of it.
   */
  z.strictObject({
    type: z.literal('follow'),
    conversationId: OutsideId,
    after: z.int().nonnegative(),
    tail: z.int().positive().max(MAX_PAGE_ENTRIES).exactOptional(),
  }),
  z.strictObject({ type: z.literal('unfollow'), conversationId: OutsideId }),
  z.strictObject({ type: z.literal('ping') }),
  ...terminalClientFrames,
  CommandFrame,
])
export type ClientFrame = z.infer<typeof ClientFrame>

/** Longest frame of a client, in UTF-16 code units. */
export const MAX_CLIENT_FRAME_LENGTH = 4_000_000
