import type { Lease } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import type { LeaseCall } from '../messages/operations.ts'

/** Who runs what. A row outlives its lease, so that an epoch never comes again. [LOG10] */
export interface LeaseTable {
  acquire(call: LeaseCall): Lease | null
  /** The lease that a call would get; null when another holds it. Nothing is written. */
  next(call: LeaseCall): Lease | null
  /** Keeps a lease that `next` gave. */
  keep(lease: Lease): void
  release(lease: { readonly conversationId: string; readonly epoch: number }): void
  /** Ends every lease that is held. */
  endAll(now: number): void
  /** Ends the lease of a conversation that is deleted: what holds its epoch writes nothing more. */
  end(conversationId: string): void
  /** The epoch of the last lease of a conversation; 0 when there was none. */
  currentEpoch(conversationId: string): number
  /** Whether deltas are still taken of a step that began there; false for all that began before a draft was dropped last. [SCALE21] */
  takesDraftOf(conversationId: string, startedSeq: number): boolean
  /** Takes no deltas any more of steps that began up to this entry. */
  closeDrafts(conversationId: string, upToSeq: number): void
  /** Forgets what was remembered of a transaction that was rolled back. */
  forget(): void
}

/** How many leases are kept at hand; a busy conversation is never the oldest. */
const KEPT = 2_000

interface LeaseRow {
  readonly epoch: number
  readonly holder: string | null
  readonly expiresAt: number
  readonly draftsAfter: number
}

/** The table of the writing connection: nobody else writes leases, so that those that were used last are known. */
export function createLeaseTable(database: Database): LeaseTable {
  const read = database.prepare<[string], LeaseRow>(
    'SELECT epoch, holder, expires_at AS expiresAt, drafts_after AS draftsAfter FROM leases WHERE conversation_id = ?',
  )
  const put = database.prepare<[string, number, string, number]>(
    `INSERT INTO leases (conversation_id, epoch, holder, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (conversation_id) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder, expires_at = excluded.expires_at`,
  )
  const release = database.prepare<[string, number]>(
    'UPDATE leases SET holder = NULL WHERE conversation_id = ? AND epoch = ?',
  )
  const end = database.prepare<[string]>(
    'UPDATE leases SET holder = NULL, epoch = epoch + 1, drafts_after = 0 WHERE conversation_id = ?',
  )
  const closeDrafts = database.prepare<[number, string]>('UPDATE leases SET drafts_after = ? WHERE conversation_id = ?')
  const endAll = database.prepare<[number]>(
    'UPDATE leases SET expires_at = min(expires_at, ?) WHERE holder IS NOT NULL',
  )

  const known = new Map<string, LeaseRow>()
  const remember = (conversationId: string, row: LeaseRow): void => {
    // Deleted first, so that it stands last.
    known.delete(conversationId)
    known.set(conversationId, row)
    const [oldest] = known.keys()
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest)
  }
  const find = (conversationId: string): LeaseRow | undefined => {
    const kept = known.get(conversationId)
    if (kept) return kept
    const row = read.get(conversationId)
    if (row) remember(conversationId, row)
    return row
  }
  const next = ({ conversationId, holder, ttlMs, now }: LeaseCall): Lease | null => {
    const last = find(conversationId)
    // What nobody else took is renewed however late: a stall ends no run.
    const isOwn = last !== undefined && last.holder === holder
    const isOthers = last !== undefined && last.holder !== null && last.expiresAt > now && !isOwn
    if (isOthers) return null
    const epoch = isOwn ? last.epoch : (last?.epoch ?? 0) + 1
    return { conversationId, holder, epoch, expiresAt: now + ttlMs }
  }
  const keep = ({ conversationId, epoch, holder, expiresAt }: Lease): void => {
    const draftsAfter = find(conversationId)?.draftsAfter ?? 0
    put.run(conversationId, epoch, holder, expiresAt)
    remember(conversationId, { epoch, holder, expiresAt, draftsAfter })
  }
  return {
    acquire(call) {
      const lease = next(call)
      if (lease) keep(lease)
      return lease
    },
    next,
    keep,
    release: ({ conversationId, epoch }) => {
      release.run(conversationId, epoch)
      known.delete(conversationId)
    },
    endAll: (now) => {
      endAll.run(now)
      known.clear()
    },
    end: (conversationId) => {
      end.run(conversationId)
      known.delete(conversationId)
    },
    currentEpoch: (conversationId) => find(conversationId)?.epoch ?? 0,
    takesDraftOf: (conversationId, startedSeq) => startedSeq > (find(conversationId)?.draftsAfter ?? 0),
    closeDrafts: (conversationId, upToSeq) => {
      const row = find(conversationId)
      // Without a lease nobody has written a draft.
      if (!row) return
      closeDrafts.run(upToSeq, conversationId)
      remember(conversationId, { ...row, draftsAfter: upToSeq })
    },
    forget: () => known.clear(),
  }
}
