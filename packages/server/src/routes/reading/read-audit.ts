import {
  type ConversationListing,
  DamagedLogError,
  type EntryOf,
  type EntryStore,
  entriesBefore,
  MAX_PAGE_ENTRIES,
} from '@holdfast/conversation'
import type { AuditAnswer, AuditRow } from '@holdfast/protocol'
import { RefusedError } from '../../parts/to-problem.ts'

type AuditStore = Pick<EntryStore, 'read' | 'readListing' | 'listConversations'>

/** Which page of the audit. */
export interface AuditQuery {
  /** Everybody whose conversations are looked through. */
  readonly ownerIds: readonly string[]
  /** `next` of the page before; null for the first. */
  readonly before: string | null
  readonly limit: number
}

/** A place in the audit: what stands before `seq` in a conversation and all that follow it, or, where it is 0, only those. */
interface AuditPlace {
  readonly updatedAt: number
  readonly conversationId: string
  readonly seq: number
}

/** What one page may read, in entries; each read of a log costs as much as `READ_ENTRIES` of them. */
const PAGE_ENTRIES = 20_000
const READ_ENTRIES = 40

/** How much further a request is looked for whose answer was found, in reads. */
const FURTHER_READS = 5

/** Conversations that are asked for at a time, of each owner. */
const LISTED = 50

/**
 * A page of who settled which request for permission, over the logs of all owners: conversations by their newest message, the
 * newest first, and back from the end in each. A page reads a bounded part of the logs, whether it finds much or nothing. [SCALE19]
 *
 * @throws {RefusedError} when `before` is no place.
 */
export async function readAudit(store: AuditStore, { ownerIds, before, limit }: AuditQuery): Promise<AuditAnswer> {
  const from = before === null ? null : toPlace(before)
  const rows: AuditRow[] = []
  const damagedIds: string[] = []
  let left = PAGE_ENTRIES
  for await (const { conversation, startSeq } of conversationsFrom(store, ownerIds, from)) {
    const { conversationId, updatedAt } = conversation
    const found = await settledIn(store, { conversation, before: startSeq, limit: limit - rows.length, entries: left })
    if (found === null) damagedIds.push(conversationId)
    rows.push(...(found?.rows ?? []))
    left -= found?.cost ?? READ_ENTRIES
    const seq = found?.nextSeq ?? 0
    if (seq > 0 || left <= 0 || rows.length >= limit)
      return { rows, damagedIds, next: fromPlace({ updatedAt, conversationId, seq }) }
  }
  return { rows, damagedIds, next: null }
}

interface AuditedConversation {
  readonly conversation: ConversationListing
  /** Only what stands before it is looked at. */
  readonly startSeq: number
}

/** The conversations from a place on: where it is in the middle of one, that one first. */
async function* conversationsFrom(
  store: AuditStore,
  ownerIds: readonly string[],
  from: AuditPlace | null,
): AsyncGenerator<AuditedConversation> {
  const current = from !== null && from.seq > 0 ? await store.readListing(from.conversationId) : null
  // It may have got a message since: the place says where the page before ended.
  if (from && current) yield { conversation: { ...current, updatedAt: from.updatedAt }, startSeq: from.seq }
  let before = from === null ? undefined : { updatedAt: from.updatedAt, conversationId: from.conversationId }
  for (;;) {
    const listed = await listedAfter(store, ownerIds, before)
    for (const conversation of listed) yield { conversation, startSeq: conversation.head + 1 }
    before = listed.at(-1)
    if (before === undefined) return
  }
}

/** The next of them in the order of the list: for each owner as many as are asked for, so that none is passed over. */
async function listedAfter(
  store: AuditStore,
  ownerIds: readonly string[],
  before: Pick<ConversationListing, 'updatedAt' | 'conversationId'> | undefined,
): Promise<readonly ConversationListing[]> {
  const asked = ownerIds.flatMap((ownerId) => [false, true].map((archived) => ({ ownerId, archived, limit: LISTED })))
  const lists: ConversationListing[] = []
  for (const query of asked) {
    const place = before && { updatedAt: before.updatedAt, conversationId: before.conversationId }
    lists.push(...(await store.listConversations({ ...query, ...(place ? { before: place } : {}) })))
  }
  return lists.sort(newestFirst).slice(0, LISTED)
}

/** The order of the conversation list. */
function newestFirst(a: ConversationListing, b: ConversationListing): number {
  if (a.updatedAt !== b.updatedAt) return b.updatedAt - a.updatedAt
  return a.conversationId < b.conversationId ? 1 : -1
}

interface SettledQuery {
  readonly conversation: ConversationListing
  readonly before: number
  /** The most rows. */
  readonly limit: number
  /** About how many entries may be read. */
  readonly entries: number
}

interface Settled {
  readonly rows: readonly AuditRow[]
  /** What was read, in entries. */
  readonly cost: number
  /** Before which `seq` it goes on; 0 where the conversation is done. */
  readonly nextSeq: number
}

/** What was settled in one conversation, from a place back; null where its log is damaged there. */
async function settledIn(store: AuditStore, query: SettledQuery): Promise<Settled | null> {
  try {
    return await readSettled(store, query)
  } catch (error) {
    if (error instanceof DamagedLogError) return null
    throw error
  }
}

async function readSettled(
  store: AuditStore,
  { conversation, before, limit, entries: mostEntries }: SettledQuery,
): Promise<Settled> {
  const settled: EntryOf<'permission-settled'>[] = []
  const tools = new Map<string, string>()
  const missing = new Set<string>()
  let cost = 0
  let cursor = before
  const back = { conversationId: conversation.conversationId, before, pageEntries: MAX_PAGE_ENTRIES }
  for await (const { entries } of entriesBefore(store, back)) {
    cost += READ_ENTRIES + entries.length
    for (const entry of entries.toReversed()) {
      if (entry.type === 'permission-settled') {
        settled.push(entry)
        missing.add(entry.requestId)
      }
      if (entry.type === 'permission-requested' && missing.delete(entry.requestId))
        tools.set(entry.requestId, entry.tool)
    }
    cursor = entries[0]?.seq ?? 1
    const isEnough = settled.length >= limit || cost >= mostEntries
    const isFar = cost >= mostEntries + FURTHER_READS * MAX_PAGE_ENTRIES
    if (isEnough && (missing.size === 0 || isFar)) break
  }
  const rows = settled.slice(0, limit).map((entry) => toRow(entry, conversation, tools.get(entry.requestId) ?? null))
  const last = settled.length > limit ? rows.at(-1) : undefined
  return { rows, cost, nextSeq: last?.seq ?? (cursor > 1 ? cursor : 0) }
}

function toRow(
  { seq, at, outcome, by, scope, actor }: EntryOf<'permission-settled'>,
  { conversationId, ownerId }: ConversationListing,
  tool: string | null,
): AuditRow {
  const userId = actor.type === 'person' ? actor.userId : null
  return { conversationId, ownerId, seq, at, tool, outcome, by, scope: scope ?? null, userId }
}

function fromPlace({ updatedAt, seq, conversationId }: AuditPlace): string {
  return `${updatedAt}_${seq}_${conversationId}`
}

function toPlace(text: string): AuditPlace {
  const [, updatedAt, seq, conversationId] = /^(\d{1,16})_(\d{1,16})_(.+)$/.exec(text) ?? []
  if (updatedAt === undefined || seq === undefined || conversationId === undefined)
    throw new RefusedError(400, 'bad-request', 'before is the next of an earlier page')
  return { updatedAt: Number(updatedAt), seq: Number(seq), conversationId }
}
