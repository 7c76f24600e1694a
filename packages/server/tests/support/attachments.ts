import type { EntryStore, Records } from '@holdfast/conversation'
import { type Attachments, createAttachments } from '../../src/parts/attachments.ts'
import { createStorage } from '../../src/parts/storage.ts'
import { STORAGE_LIMITS } from '../../src/parts/storage-limits.ts'
import { createPointedAt } from '../../src/routes/reading/read-pointed-at.ts'
import { realClock, realIds } from './real-ports.ts'

const SILENT = { info() {}, warn() {}, error() {} }

/** The attachments of a store, beside those of its server. */
export function attachmentsOf({
  store,
  records,
}: {
  readonly store: EntryStore
  readonly records: Records
}): Attachments {
  return createAttachments({
    store,
    records,
    clock: realClock,
    ids: realIds,
    storage: createStorage({ store, limits: STORAGE_LIMITS, freeBytes: null }),
    attachmentBytes: STORAGE_LIMITS.attachmentBytes,
    readResource: null,
    pointedAt: createPointedAt({ store, log: SILENT, agents: null }),
  })
}
