export { MalformedEntryError, NewerEntryError } from '../entry-errors.ts'
export { ErasureRefusedError } from '../erasure-refused-error.ts'
export { listing, toListing } from '../projections/listing.ts'
export { type Snippet, searchableText, searchTokens, snippet } from '../search-text.ts'
export { UPLOAD_KEPT_MS } from '../store/blob-store.ts'
export { MAX_PAGE_ENTRIES } from '../store/entry-log.ts'
export { RevisionConflictError } from '../store/records.ts'
export {
  AppendConflictError,
  CommandReusedError,
  DamagedLogError,
  LeaseHeldError,
  MissingBlobError,
  StaleEpochError,
  StoreOpenError,
  StoreReadError,
  StoreWriteError,
} from '../store/store-errors.ts'
export { readTrustedEntry, UPCASTS } from '../upcasts.ts'
