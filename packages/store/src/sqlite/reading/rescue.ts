import { DamagedLogError } from '@holdfast/conversation/stored'
import type { Database } from 'better-sqlite3'
import { isIntact } from '../../shared/intact-row.ts'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { isDamage } from '../files/sqlite-errors.ts'
import type { RescuedRows } from '../messages/operations.ts'
import type { ConversationTable } from '../tables/conversation-table.ts'

/** How many rows of the table a scan reads at once. */
const PAGE = 1_000
/** How much of a log is given at once: a page ends with the entry that has more. */
const RESCUED_CHARACTERS = 1_024 * 1_024

/**
 * Reads a log past damage. The table and the index of places are two ways to each entry: what the index
 * has lost, a scan of the whole table finds, and the other way round.
 */
export interface Rescue {
  /** Where the entries of a log may stand, in the order of the log. */
  plan(conversationId: string): Float64Array
  /**
   * What can be read of these, each only if it is what was written, and how many of them were looked at: those that go into
   * a page, at least one. [LOG5]
   */
  rows(conversationId: string, entryIds: Float64Array): RescuedRows
}

interface Place {
  readonly entryId: number
  readonly key: number
  readonly seq: number
}

/** The rescue over a connection. */
export function createRescue(database: Database, conversations: ConversationTable): Rescue {
  const byPlace = database.prepare<[number, number, number], Place>(
    `SELECT entry_id AS entryId, conversation_key AS key, seq FROM entries INDEXED BY entries_by_place
     WHERE conversation_key = ? AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const byId = database.prepare<[number, number], Place>(
    'SELECT entry_id AS entryId, conversation_key AS key, seq FROM entries NOT INDEXED WHERE entry_id > ? ORDER BY entry_id LIMIT ?',
  )
  const place = database.prepare<[number], Place>(
    'SELECT entry_id AS entryId, conversation_key AS key, seq FROM entries WHERE entry_id = ?',
  )
  const row = database.prepare<[number], EntryRow>('SELECT seq, checksum, body FROM entries WHERE entry_id = ?')
  const lastId = database.prepare<[], { entryId: number | null }>(
    'SELECT max(entry_id) AS entryId FROM entries NOT INDEXED',
  )
  const lastIdByPlace = database.prepare<[], { entryId: number | null }>(
    'SELECT max(+entry_id) AS entryId FROM entries INDEXED BY entries_by_place',
  )

  /** Null when the index breaks off or has a gap. */
  const throughIndex = (key: number, head: number): Place[] | null => {
    const places: Place[] = []
    for (;;) {
      const page = unlessDamaged(() => byPlace.all(key, places.length, PAGE))
      if (page === null) return null
      for (const found of page) if (places.push(found) !== found.seq) return null
      if (page.length < PAGE) return places.length === head ? places : null
    }
  }

  const throughTable = (key: number | null, conversationId: string): Place[] => {
    const last =
      unlessDamaged(() => lastId.get()?.entryId ?? 0) ?? unlessDamaged(() => lastIdByPlace.get()?.entryId ?? 0) ?? 0
    const places: Place[] = []
    const isOurs = (found: Place) => (key === null ? names(found.entryId, conversationId) : found.key === key)
    for (let after = 0; after < last; ) {
      const page = unlessDamaged(() => byId.all(after, PAGE))
      if (page) {
        places.push(...page.filter(isOurs))
        after = page.at(-1)?.entryId ?? last
        continue
      }
      for (let entryId = after + 1; entryId <= after + PAGE; entryId++) {
        const found = unlessDamaged(() => place.get(entryId))
        if (found && isOurs(found)) places.push(found)
      }
      after += PAGE
    }
    return places
  }

  const names = (entryId: number, conversationId: string): boolean => {
    const found = unlessDamaged(() => row.get(entryId))
    return found ? isIntact(conversationId, found) : false
  }

  return {
    plan(conversationId) {
      const found = lookUp(conversations, conversationId)
      if (found.type === 'absent') return new Float64Array()
      const whole = found.type === 'whole' ? throughIndex(found.key, found.head) : null
      const places = whole ?? throughTable(found.key, conversationId)
      return Float64Array.from(places.sort((a, b) => a.seq - b.seq).map(({ entryId }) => entryId))
    },
    rows(conversationId, entryIds) {
      const rows: EntryRow[] = []
      let characters = 0
      let lookedAt = 0
      for (const entryId of entryIds) {
        if (characters >= RESCUED_CHARACTERS) break
        lookedAt += 1
        const found = unlessDamaged(() => row.get(entryId))
        if (!found || !isIntact(conversationId, found)) continue
        rows.push(found)
        characters += found.body.length
      }
      return { rows, lookedAt }
    },
  }
}

type LookUp =
  | { readonly type: 'whole'; readonly key: number; readonly head: number }
  | { readonly type: 'absent' }
  /** The key is null when nothing names it any more: then the entries themselves say whose they are. */
  | { readonly type: 'damaged'; readonly key: number | null }

function lookUp(conversations: ConversationTable, conversationId: string): LookUp {
  try {
    const row = conversations.find(conversationId)
    return row ? { type: 'whole', key: row.key, head: row.head } : { type: 'absent' }
  } catch (error) {
    if (!isDamage(error) && !(error instanceof DamagedLogError)) throw error
    return { type: 'damaged', key: unlessDamaged(() => conversations.findKey(conversationId)) }
  }
}

function unlessDamaged<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return null
    throw error
  }
}
