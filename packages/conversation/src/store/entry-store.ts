import type { BlobStore } from './blob-store.ts'
import type { ConversationIndex } from './conversation-index.ts'
import type { DraftStore } from './draft-store.ts'
import type { EntryLog } from './entry-log.ts'
import type { LeaseStore } from './lease-store.ts'
import type { StoreMaintenance } from './maintenance.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import type { UsageIndex } from './usage-index.ts'

/**
 * Where the logs live, with all that must change in one transaction with them.
 *
 * An implementation keeps every promise of the parts, is safe to call from many places at once, and
 * never answers "nothing" for what it cannot read: it throws. [LOG7]
 */
export interface EntryStore
  extends EntryLog,
    DraftStore,
    SnapshotStore,
    LeaseStore,
    BlobStore,
    ConversationIndex,
    UsageIndex,
    StoreMaintenance {
  /** Finishes what was accepted, then closes. Later calls throw. */
  close(): Promise<void>
}
