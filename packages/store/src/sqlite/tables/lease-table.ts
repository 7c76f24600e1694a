import type { Lease } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import { Refusal } from '../messages/failures.ts'
import type { LeaseCall } from '../messages/operations.ts'

/** Who runs what. A row outlives its lease, so that an epoch never comes again. [LOG10] */
export interface LeaseTable {
  acquire(call: LeaseCall): Lease | null
  release(lease: { readonly conversationId: string; readonly epoch: number }): void
  /** Ends every lease that is held. */
  endAll(now: number): void
  /** Ends the lease of a conversation that is deleted: what holds its epoch writes nothing more. */
  end(conversationId: string): void
  /** The epoch of the last lease of a conversation; 0 when there was none. */
  currentEpoch(conversationId: string): number
  /** @throws {Refusal} `stale-epoch` when the epoch is not that of the last lease. */
  requireEpoch(conversationId: string, epoch: number): void
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
  return {
    acquire({ conversationId, holder, ttlMs, now }) {
      const known = find.get(conversationId)
      // What nobody else took is renewed however late: a stall ends no run.
      const isOwn = known !== undefined && known.holder === holder
      const isOthers = known !== undefined && known.holder !== null && known.expiresAt > now && !isOwn
      if (isOthers) return null
      const epoch = isOwn ? known.epoch : (known?.epoch ?? 0) + 1
      const expiresAt = now + ttlMs
      put.run(conversationId, epoch, holder, expiresAt)
      return { conversationId, holder, epoch, expiresAt }
    },
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
    requireEpoch(conversationId, epoch) {
      const current = currentEpoch(conversationId)
      if (current !== epoch) throw new Refusal({ type: 'stale-epoch', conversationId, epoch, currentEpoch: current })
    },
  }
}
