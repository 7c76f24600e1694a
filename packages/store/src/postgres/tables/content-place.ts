import type { Bucket } from '../../bucket/bucket.ts'
import type { Database } from '../connection/database.ts'

/** Where the content of blobs is kept: new content in the bucket where there is one, else in the database. [LOG32] */
export interface ContentPlace {
  readonly database: Database
  readonly bucket: Bucket | null
}
