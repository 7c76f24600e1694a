import { DamagedLogError, MAX_PAGE_ENTRIES } from '@holdfast/conversation/stored'
import { isIntact } from '../../shared/intact-row.ts'
import { type PageText, pageText } from '../../shared/page-text.ts'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { isDamage } from '../files/sqlite-errors.ts'
import type { PageCall, PageRows } from '../messages/operations.ts'
import type { ConversationTable } from '../tables/conversation-table.ts'
import type { EntryTable } from '../tables/entry-table.ts'

/** How many rows the search for the first bad one reads at once. */
const PAGE = 500

/** The tables that a log is read from. */
export interface LogTables {
  readonly entries: EntryTable
  readonly conversations: ConversationTable
}

/**
 * The rows of a page.
 *
 * @throws {DamagedLogError} when the database cannot read one of them, or the log does not end where its head says.
 */
export function readPage({ entries, conversations }: LogTables, call: PageCall): PageRows {
  const { conversationId } = call
  const row = conversations.find(conversationId)
  if (!row) return { head: 0, from: 1, to: 0, rows: [] }
  const { key, head } = row
  const asked = rangeOf(call, head)
  const { from, to } = boundedRange(entries, { key, call, asked })
  try {
    if (to === head) {
      const last = entries.lastSeq(key)
      if (last > head)
        throw new DamagedLogError({
          conversationId,
          firstBadSeq: head + 1,
          what: `the log goes on to ${last}, its head is ${head}`,
        })
    }
    return { head, from, to, rows: to < from ? [] : entries.range(key, from, to) }
  } catch (error) {
    if (!isDamage(error)) throw error
    const rows = oneByOne(entries, key, { from, to })
    if (from + rows.length > to) return { head, from, to, rows }
    throw new DamagedLogError(
      { conversationId, firstBadSeq: from + rows.length, what: `the database cannot read it (${error.code})` },
      { cause: error },
    )
  }
}

/** A page as text; null where anything of it is not as it was written: reading it says what. [LOG37] */
export function readPageText({ entries, conversations }: LogTables, call: PageCall): PageText | null {
  const { conversationId } = call
  const row = conversations.find(conversationId)
  if (!row) return pageText({ conversationId, head: 0, from: 1, to: 0, rows: [] })
  const { key, head } = row
  const { from, to } = boundedRange(entries, { key, call, asked: rangeOf(call, head) })
  try {
    if (to === head && entries.lastSeq(key) > head) return null
    return pageText({ conversationId, head, from, to, rows: to < from ? [] : entries.range(key, from, to) })
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}

/** Of a damaged table no size is known: the range is as it was asked for, and reading it says what is damaged. */
function boundedRange(
  entries: EntryTable,
  { key, call, asked }: { readonly key: number; readonly call: PageCall; readonly asked: Range },
): Range {
  const { maxBytes, before } = call
  if (maxBytes === null || asked.to < asked.from) return asked
  try {
    const isBackward = before !== null
    const count = entries.fitting(key, { from: asked.from, to: asked.to, maxBytes, isBackward })
    if (count === 0) return asked
    return isBackward
      ? { from: Math.max(asked.from, asked.to - count + 1), to: asked.to }
      : { from: asked.from, to: Math.min(asked.to, asked.from + count - 1) }
  } catch (error) {
    if (isDamage(error)) return asked
    throw error
  }
}

interface Range {
  readonly from: number
  readonly to: number
}

/**
 * The first entry of a log, in its order, that is missing or not what was written, up to `to`; null when
 * there is none.
 */
export function firstBadSeq({ entries, conversations }: LogTables, conversationId: string, to: number): number | null {
  const key = conversations.findKey(conversationId)
  if (key === null) return null
  for (let from = 1; from <= to; from += PAGE) {
    const end = Math.min(from + PAGE - 1, to)
    const rows = readableRange(entries, key, { from, to: end })
    const bad = rows.findIndex((row, index) => row.seq !== from + index || !isIntact(conversationId, row))
    if (bad >= 0) return from + bad
    if (from + rows.length <= end) return from + rows.length
  }
  return null
}

function rangeOf({ after, before, limit }: PageCall, head: number): { readonly from: number; readonly to: number } {
  const size = Math.min(limit, MAX_PAGE_ENTRIES)
  if (before === null) {
    const from = Math.max(after ?? 0, 0) + 1
    return { from, to: Math.min(head, from + size - 1) }
  }
  const to = Math.min(before - 1, head)
  return { from: Math.max(1, to - size + 1), to }
}

/** The rows of a range up to the first that the database cannot read. */
function readableRange(
  entries: EntryTable,
  key: number,
  { from, to }: { readonly from: number; readonly to: number },
): EntryRow[] {
  try {
    return entries.range(key, from, to)
  } catch (error) {
    if (!isDamage(error)) throw error
    return oneByOne(entries, key, { from, to })
  }
}

function oneByOne(
  entries: EntryTable,
  key: number,
  { from, to }: { readonly from: number; readonly to: number },
): EntryRow[] {
  const rows: EntryRow[] = []
  for (let seq = from; seq <= to; seq++) {
    const row = readableOne(entries, key, seq)
    if (!row) break
    rows.push(row)
  }
  return rows
}

function readableOne(entries: EntryTable, key: number, seq: number): EntryRow | null {
  try {
    return entries.one(key, seq)
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}
