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
}

/** The table of a connection. */
export function createLeaseTable(database: Database): LeaseTable {
  const find = database.prepare<[string], { epoch: number; holder: string | null; expiresAt: number }>(
    'SELECT epoch, holder, expires_at AS expiresAt FROM leases WHERE conversation_id = ?',
  )
  const put = database.prepare<[string, number, string, number]>(
    `INSERT INTO leases (conversation_id, epoch, holder, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (conversation_id) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder, expires_at = excluded.expires_at`,
  )
  const release = database.prepare<[string, number]>(
    'UPDATE leases SET holder = NULL WHERE conversation_id = ? AND epoch = ?',
  )
  const end = database.prepare<[string]>('UPDATE leases SET holder = NULL, epoch = epoch + 1 WHERE conversation_id = ?')
  const endAll = database.prepare<[number]>(
    'UPDATE leases SET expires_at = min(expires_at, ?) WHERE holder IS NOT NULL',
  )
  const currentEpoch = (conversationId: string) => find.get(conversationId)?.epoch ?? 0
  const next = ({ conversationId, holder, ttlMs, now }: LeaseCall): Lease | null => {
    const known = find.get(conversationId)
    // What nobody else took is renewed however late: a stall ends no run.
    const isOwn = known !== undefined && known.holder === holder
    const isOthers = known !== undefined && known.holder !== null && known.expiresAt > now && !isOwn
    if (isOthers) return null
    const epoch = isOwn ? known.epoch : (known?.epoch ?? 0) + 1
    return { conversationId, holder, epoch, expiresAt: now + ttlMs }
  }
  const keep = ({ conversationId, epoch, holder, expiresAt }: Lease): void => {
    put.run(conversationId, epoch, holder, expiresAt)
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
    },
    endAll: (now) => {
      endAll.run(now)
    },
    end: (conversationId) => {
      end.run(conversationId)
    },
    currentEpoch,
  }
}
