import type { BlobReference, EntryOf, NotKept } from '@holdfast/conversation'

/** What a call really did beside answering: its tool reports it, and the log holds it. [WS1, LOG3, PERM7] */
export type CallEffect =
  /** Files were really written, moved or deleted; the bodies that are named are in the store already. */
  | { readonly type: 'files-changed'; readonly changes: readonly FileChange[] }
  /** A memory of the owner was really saved, changed or deleted. */
  | ({ readonly type: 'memory-changed' } & MemoryLogChange)
  /** Files that hold words of strangers were read, by names for people. */
  | { readonly type: 'strangers-read'; readonly files: readonly string[] }

/** One file that was really written, moved or deleted, as the log notes it. */
export interface FileChange {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string
  readonly kind: 'created' | 'changed' | 'deleted'
  /** Absent for a file. The body of a link is where it leads; a folder has none. */
  readonly entity?: 'folder' | 'link'
  /** What stood there; absent for a file that was created. */
  readonly before?: BlobReference
  /** What stands there; absent for a file that was deleted. */
  readonly after?: BlobReference
  /** Rights, as the system counts them. */
  readonly modeBefore?: number
  readonly modeAfter?: number
  /** Why a body is missing. */
  readonly notKept?: NotKept
  /** Present where no tool told it, and it was seen around a call instead. */
  readonly seen?: 'alone' | 'with-others'
}

/** One memory that was really saved, changed or deleted, as the log names it. */
export type MemoryLogChange = Readonly<Pick<EntryOf<'memory-changed'>, 'memoryId' | 'agentId' | 'text'>>
