import type { FileTags } from '../parse/file-tags.ts'

/** A file as it was seen last. */
export interface KnownFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly stamp: Stamp
  /** Of its content; null where that was not read: a name alone. */
  readonly hash: string | null
}

/** What the system says of a file. One that bears the same is not read again. */
export interface Stamp {
  readonly sizeBytes: number
  readonly inode: number
  readonly modifiedAtMs: number
  readonly changedAtMs: number
  /** Whether it was written so shortly before it was looked at that a later writing could bear the same times. */
  readonly isFresh: boolean
}

/** What is known of one repository: its files as they were seen last, and the tags of every content. */
export interface KnownTags {
  readonly files: readonly KnownFile[]
  /** By the hash of a content; also of contents that no file has now, such as those of another branch. */
  readonly tagsByHash: ReadonlyMap<string, FileTags>
}
