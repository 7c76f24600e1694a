import * as z from 'zod'

const count = z.int().nonnegative()

/** Something of a file that did not become part of a conversation. */
export const ImportSkip = z.object({
  /** In words that a program can compare. */
  reason: z.string(),
  /** The file inside an archive; null where the file is no archive. */
  file: z.string().nullable(),
  /** From 1; null where it is not about a line. */
  line: z.int().positive().nullable(),
  /** What it is, for a person. */
  what: z.string(),
})
export type ImportSkip = z.infer<typeof ImportSkip>

/** How far an import is, and what came of it. */
export const ImportAnswer = z.object({
  id: z.string(),
  /** Of the file. */
  name: z.string(),
  state: z.enum(['running', 'finished', 'failed', 'cancelled']),
  /** Whether it is only looked at: then nothing is written, and the figures say what would be. */
  isDryRun: z.boolean().default(false),
  /** The only format that is taken; null for any. */
  only: z.string().nullable().default(null),
  /** Conversations that began before are left out, in milliseconds since the Unix epoch; null for none. */
  since: z.int().nonnegative().nullable().default(null),
  sizeBytes: count,
  /** How much of it has been read. */
  readBytes: count,
  startedAt: count,
  finishedAt: count.nullable(),
  /** Why it failed and what to do. */
  problem: z.string().nullable(),
  /** What other program wrote it; null while that is not known. */
  format: z.string().nullable(),
  /** Conversations that are new. */
  imported: count,
  /** Conversations that were there and have grown. */
  updated: count,
  alreadyThere: count,
  /** Conversations that have grown or changed in the file, and stay as they are; `skips` says why. */
  unchanged: count,
  entryCount: count,
  /** How often something was left out, by reason. */
  skippedCounts: z.record(z.string(), count),
  /** The first of each reason. */
  skips: z.array(ImportSkip),
  /** The first conversations that are new or have grown. */
  conversationIds: z.array(z.string()),
})
export type ImportAnswer = z.infer<typeof ImportAnswer>

/** What an import has come to before it has read anything: made anew for each, which adds to it. */
export const nothingImported = () =>
  ({
    readBytes: 0,
    finishedAt: null,
    problem: null,
    format: null,
    imported: 0,
    updated: 0,
    alreadyThere: 0,
    unchanged: 0,
    entryCount: 0,
    skippedCounts: {},
    skips: [],
    conversationIds: [],
  }) satisfies Partial<ImportAnswer>
