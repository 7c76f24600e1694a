import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { conversation, nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** A terminal of a person, as they see it listed. [WS25] */
export const TerminalRow = z.object({
  terminalId: z.string(),
  /** Where its shell began. */
  folder: z.string(),
  /** The name of its shell. */
  shell: z.string(),
  /** Milliseconds since the Unix epoch. */
  startedAt: z.int(),
})
export type TerminalRow = z.infer<typeof TerminalRow>

/** A command that an agent left running in the background. [WS30] */
export const ProcessRow = z.object({
  processId: z.string(),
  line: z.string(),
  /** How long it has run, or ran, in milliseconds. */
  ranMs: z.int().nonnegative(),
  /** Null while it runs; else how it ended, in words of the log. */
  end: z.string().nullable(),
})
export type ProcessRow = z.infer<typeof ProcessRow>

const oneProcess = z.object({ id: OutsideId, processId: OutsideId })

/** The terminals of a person in a conversation, and what its agent runs in the background beside them. */
export const terminalRoutes = {
  listTerminals: {
    method: 'GET',
    path: '/conversations/:id/terminals',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: {
      200: z.object({
        /** Why whoever asks has no terminals here; null where they may. */
        refusal: z.enum(['not-allowed', 'no-folder', 'none-here']).nullable(),
        /** The folder in which one would begin. */
        folder: z.string().nullable(),
        terminals: z.array(TerminalRow),
        processes: z.array(ProcessRow),
      }),
    },
  },
  readProcess: {
    method: 'GET',
    path: '/conversations/:id/processes/:processId',
    access: 'owner',
    params: oneProcess,
    query: z.object({ from: z.coerce.number().int().nonnegative().default(0) }),
    body: nothing,
    /** `from`: the byte at which the text really begins; `next`: where to read on. */
    answers: { 200: z.object({ row: ProcessRow, text: z.string(), from: z.int(), next: z.int() }) },
  },
  endProcess: {
    method: 'POST',
    path: '/conversations/:id/processes/:processId/end',
    access: 'owner',
    scope: 'tools',
    params: oneProcess,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ row: ProcessRow }) },
  },
} as const satisfies Readonly<Record<string, Route>>
