export { type Bucket, type BucketOptions, createBucket, type PiecePlace } from './bucket.ts'
