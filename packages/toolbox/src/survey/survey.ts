import type { NotKept } from '@holdfast/conversation'

/** What stands in a folder at one moment, by path from its root; the folder itself is not in it. */
export type Survey = ReadonlyMap<string, Seen>

/** What stood in one place. */
export type Seen =
  | SeenFile
  | { readonly type: 'link'; readonly target: string }
  | { readonly type: 'folder'; readonly mode: number }
  /** A folder into which nobody looked. */
  | { readonly type: 'left-out'; readonly reason: NotKept }

/** A file as it was seen. */
export interface SeenFile {
  readonly type: 'file'
  readonly mode: number
  readonly sizeBytes: number
  /** SHA-256 in lower-case hexadecimal; null where it was not read. */
  readonly hash: string | null
  /** Why its content is not kept; null where it is. */
  readonly notKept: NotKept | null
  /** What the system says of it; null where a tool said what stands there. Another one means that it may have changed. */
  readonly stamp: Stamp | null
}

/** Which file it is, and when it was last touched, in milliseconds since the Unix epoch. */
export interface Stamp {
  readonly inode: number
  readonly modifiedAtMs: number
  readonly changedAtMs: number
  /** Touched so shortly before it was read that a later change might leave the same times. */
  readonly isFresh: boolean
}

/** A place where two surveys differ. */
export interface SeenChange {
  readonly path: string
  readonly kind: 'created' | 'changed' | 'deleted'
  readonly entity: 'file' | 'link' | 'folder'
  readonly before: SeenContent | null
  readonly after: SeenContent | null
  readonly modeBefore: number | null
  readonly modeAfter: number | null
  readonly notKept: NotKept | null
}

/** What a link says, or by which hash the bytes of a file are kept. */
export type SeenContent =
  | { readonly type: 'link'; readonly target: string }
  | { readonly type: 'bytes'; readonly hash: string; readonly sizeBytes: number }
