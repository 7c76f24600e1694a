import { describe } from 'vitest'
import { describeBlobs } from './entry-store/blob-suite.ts'
import { describeCommands } from './entry-store/command-suite.ts'
import { describeDrafts } from './entry-store/draft-suite.ts'
import { describeErasure } from './entry-store/erasure-suite.ts'
import { describeIndex } from './entry-store/index-suite.ts'
import { describeLeaseAppends } from './entry-store/lease-append-suite.ts'
import { describeLeases } from './entry-store/lease-suite.ts'
import { describeLog } from './entry-store/log-suite.ts'
import { describeMaintenance } from './entry-store/maintenance-suite.ts'
import { describeRecordAppends } from './entry-store/record-append-suite.ts'
import { describeSearch } from './entry-store/search-suite.ts'
import { describeSnapshots } from './entry-store/snapshot-suite.ts'
import type { StoreHarness } from './store-harness.ts'

/** The contract of `EntryStore` as tests. Every store passes all of it. */
export function describeEntryStore(name: string, harness: StoreHarness): void {
  describe(`${name} entry store`, () => {
    describeLog(harness)
    describeCommands(harness)
    describeDrafts(harness)
    describeSnapshots(harness)
    describeLeases(harness)
    describeLeaseAppends(harness)
    describeRecordAppends(harness)
    describeBlobs(harness)
    describeIndex(harness)
    describeSearch(harness)
    describeErasure(harness)
    describeMaintenance(harness)
  })
}
