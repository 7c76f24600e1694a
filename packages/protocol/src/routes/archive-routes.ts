import * as z from 'zod'
import { ImportAnswer } from '../answers/import-answer.ts'
import type { Route } from '../parts/route.ts'
import { conversation, nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** Longest time that a question about an import is held until the import has ended, in milliseconds. */
const MOST_WAIT_MS = 20_000

/** What of a conversation can still be read. [LOG7] */
const DamageAnswer = z.object({
  isDamaged: z.boolean(),
  /** Entries that can be read, and are in an export. */
  readableCount: z.int().nonnegative(),
  /** Entries that the log has; null where that cannot be read either. */
  entryCount: z.int().nonnegative().nullable(),
  /** The first places that cannot be read, both ends included. */
  missing: z.array(z.object({ from: z.int().positive(), to: z.int().positive() })),
  /** What is wrong there, in words; null where nothing is. */
  what: z.string().nullable(),
})

/** Logs of another program on the disk of the server, by names and sizes. [CLI37] */
export const FoundLogsRow = z.object({
  /** The format of the logs. */
  id: z.string(),
  /** Of the program. */
  name: z.string(),
  folder: z.string(),
  /** Of those that may be read. */
  logCount: z.int().nonnegative(),
  sizeBytes: z.int().nonnegative(),
  /** When the newest was changed, in milliseconds since the Unix epoch; 0 where none may be read. */
  changedAt: z.int().nonnegative(),
  /** Whether there may be more than were looked at. */
  isCut: z.boolean(),
  /** Logs and folders of this user that the server may not read; they are not imported. [CLI43] */
  unreadableCount: z.int().nonnegative(),
  /** The names of the first of them, in the folder. */
  unreadable: z.array(z.string()),
})
export type FoundLogsRow = z.infer<typeof FoundLogsRow>

const oneImport = z.object({ importId: OutsideId })
const flag = z.stringbool()

/** The routes that bring other programs' logs in, and conversations out. */
export const archiveRoutes = {
  startImport: {
    method: 'POST',
    path: '/import',
    access: 'user',
    takes: 'application/octet-stream',
    params: nothing,
    query: z.object({
      /** The name of the file, for the report. What it is, its content says. */
      name: z.string().min(1).max(500),
      /** The only format that is taken, such as `claude-code`. */
      format: z.string().min(1).max(50).exactOptional(),
      /** Leaves out conversations that began before; a date or a time in ISO form, without an offset in UTC. */
      since: z
        .union([z.iso.date(), z.iso.datetime({ offset: true })])
        .transform((text) => Date.parse(text))
        .exactOptional(),
      /** Reads all of it, writes nothing, and says what would be there. */
      dryRun: flag.default(false),
    }),
    body: nothing,
    answers: { 202: ImportAnswer },
  },
  listImports: {
    method: 'GET',
    path: '/imports',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ imports: z.array(ImportAnswer) }) },
  },
  readImport: {
    method: 'GET',
    path: '/imports/:importId',
    access: 'record',
    params: oneImport,
    query: z.object({
      /** The answer may wait so long for the end of the import, in milliseconds. */
      waitMs: z.coerce.number().int().min(0).max(MOST_WAIT_MS).default(0),
    }),
    body: nothing,
    answers: { 200: ImportAnswer },
  },
  cancelImport: {
    method: 'DELETE',
    path: '/imports/:importId',
    access: 'record',
    params: oneImport,
    query: nothing,
    body: nothing,
    answers: { 200: ImportAnswer },
  },
  listFoundLogs: {
    method: 'GET',
    path: '/found-logs',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ found: z.array(FoundLogsRow) }) },
  },
  /** Reads them, for the first time, and imports them for who asks. */
  importFoundLogs: {
    method: 'POST',
    path: '/found-logs/:foundId/import',
    access: 'admin',
    params: z.object({ foundId: z.string().min(1).max(50) }),
    query: nothing,
    body: nothing,
    answers: { 202: ImportAnswer },
  },
  readDamage: {
    method: 'GET',
    path: '/conversations/:id/damage',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: DamageAnswer },
  },
  countSecrets: {
    method: 'GET',
    path: '/conversations/:id/secrets',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    /** What `redact` would mask in an export of everything. */
    answers: {
      200: z.object({
        keys: z.int().nonnegative(),
        mailAddresses: z.int().nonnegative(),
        homeFolders: z.int().nonnegative(),
      }),
    },
  },
  exportConversation: {
    method: 'GET',
    path: '/conversations/:id/export',
    access: 'owner',
    gives: 'application/octet-stream',
    params: conversation,
    query: z.object({
      /** `json` holds everything and can be imported again; the others are for people. */
      format: z.enum(['md', 'json', 'html']),
      /** Of `md` and `html`: whether calls of tools are in it. */
      tools: flag.default(true),
      thinking: flag.default(false),
      /** Branches that were set aside. */
      setAside: flag.default(false),
      usage: flag.default(false),
      /** Files and pictures: in `json` whole, in the others by name. */
      attachments: flag.default(true),
      /** Masks what looks like a key, an e-mail address or the name of a home folder; files are left out then. */
      redact: flag.default(false),
    }),
    body: nothing,
    answers: { 200: nothing },
  },
} as const satisfies Readonly<Record<string, Route>>
