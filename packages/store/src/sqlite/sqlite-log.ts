import {
  type Append,
  type Appended,
  type Damage,
  DamagedLogError,
  type Entry,
  type EntryLog,
  type EntryPage,
  isNewest,
  MalformedEntryError,
  type PageQuery,
  StoreReadError,
} from '@holdfast/conversation'
import { type PageText, textOfPage } from '../shared/page-text.ts'
import { type EntryRow, type PreparedAppend, prepareAppend } from '../shared/prepare-append.ts'
import { readRow, readRows } from '../shared/read-rows.ts'
import type { PageCall, ReadSignatures, WriteSignatures } from './messages/operations.ts'
import type { Caller } from './threads/thread.ts'

/** The most rows that a rescue reads at once. */
const RESCUED_AT_ONCE = 200

/** The threads of a store, and who is told of damage. */
export interface StoreThreads {
  readonly writer: Caller<WriteSignatures>
  readonly reader: Caller<ReadSignatures>
  readonly onDamage: (damage: Damage) => void
}

/** The log: entries are checked and written out here, and become objects again only for who asked for them. */
export function createSqliteLog(
  threads: StoreThreads,
  leaseTime: () => number,
): EntryLog & { readableEntries(conversationId: string): AsyncIterable<Entry> } {
  const { writer, reader } = threads
  return {
    async append(append) {
      const ready = prepareOr(append)
      if (ready instanceof MalformedEntryError) {
        const { earlier } = await writer.call('append', { ...withoutRows(append), now: leaseTime() })
        if (earlier) return repeated(append.conversationId, earlier)
        throw ready
      }
      const { earlier, lease } = await writer.call('append', { ...ready.prepared, now: leaseTime() })
      if (earlier) return repeated(append.conversationId, earlier)
      return { entries: ready.entries, repeated: false, ...(lease === null ? {} : { lease }) }
    },

    async read(query) {
      try {
        return await readPage(threads, query)
      } catch (error) {
        throw error instanceof DamagedLogError ? await fromTheStart(threads, error) : error
      }
    },

    async readText(query) {
      const text = await textOrNone(threads, query)
      return text?.kinds.every(isNewest) ? text.bytes : textOfPage(await this.read(query))
    },

    async *readableEntries(conversationId) {
      const entryIds = await reader.call('planRescue', { conversationId })
      for (let from = 0; from < entryIds.length; ) {
        const some = entryIds.slice(from, from + RESCUED_AT_ONCE)
        const { rows, lookedAt } = await reader.call('rescueRows', { conversationId, entryIds: some })
        for (const row of rows) yield readRow(conversationId, row)
        from += lookedAt
      }
    },
  }
}

function prepareOr(append: Append): ReturnType<typeof prepareAppend> | MalformedEntryError {
  try {
    return prepareAppend(append)
  } catch (error) {
    if (error instanceof MalformedEntryError) return error
    throw error
  }
}

/** Asks whether a command, the lease, the epoch or the head come before what is wrong with the entries. */
function withoutRows({ conversationId, after, epoch, acquire, command }: Append): PreparedAppend {
  return {
    conversationId,
    after,
    newOwnerId: null,
    epoch: epoch ?? null,
    acquire: acquire ?? null,
    release: false,
    command: command ?? null,
    dropDraft: null,
    asksOnly: true,
    rows: [],
    blobs: [],
    uploads: [],
    records: [],
  }
}

function repeated(conversationId: string, rows: readonly EntryRow[]): Appended {
  return { entries: rows.map((row) => readRow(conversationId, row)), repeated: true }
}

/** None where the database cannot read it: who reads it is told what is wrong. */
async function textOrNone({ reader }: StoreThreads, query: PageQuery): Promise<PageText | null> {
  try {
    return await reader.call('readPageText', callOf(query))
  } catch (error) {
    if (error instanceof DamagedLogError || error instanceof StoreReadError) return null
    throw error
  }
}

function callOf({ conversationId, limit, after, before, maxBytes }: PageQuery): PageCall {
  return { conversationId, limit, maxBytes: maxBytes ?? null, after: after ?? null, before: before ?? null }
}

async function readPage({ reader }: StoreThreads, query: PageQuery): Promise<EntryPage> {
  const { conversationId } = query
  const page = await reader.call('readPage', callOf(query))
  return { head: page.head, entries: page.to < page.from ? [] : readRows(conversationId, page.rows, page) }
}

/** The same damage, with the first bad entry of the whole log: a page knows only of its own. */
async function fromTheStart({ reader, onDamage }: StoreThreads, error: DamagedLogError): Promise<DamagedLogError> {
  const { conversationId } = error
  const first = await firstBadSeq(reader, { conversationId, to: error.firstBadSeq - 1 })
  const whole =
    first === null
      ? error
      : new DamagedLogError(
          { conversationId, firstBadSeq: first, what: 'it is missing or not what was written' },
          { cause: error },
        )
  onDamage({ conversationId, firstBadSeq: whole.firstBadSeq, what: whole.message })
  return whole
}

/** Null when there is none, or the database cannot say. */
async function firstBadSeq(
  reader: StoreThreads['reader'],
  range: ReadSignatures['firstBadSeq']['args'],
): Promise<number | null> {
  try {
    return await reader.call('firstBadSeq', range)
  } catch (error) {
    if (error instanceof StoreReadError) return null
    throw error
  }
}
