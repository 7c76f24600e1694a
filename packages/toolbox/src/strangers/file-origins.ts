/** Knows where files came from. */
export interface FileOrigins {
  /**
   * Whether strangers wrote a file, or it lies in a folder of theirs; null for one of the person's own. `key` names what
   * brings the same words once more, where that is more than the file itself. An implementer counts a file as a
   * stranger's when in doubt.
   */
  strangerAt(file: FileSought): Promise<{ readonly key: string | null } | null>
  /** Whether such a file lies below a folder. */
  hasStrangersBelow(absolutePath: string): Promise<boolean>
}

/** A file. */
export interface FileSought {
  readonly absolutePath: string
  /** SHA-256 of its content; null where it was not read. */
  readonly hash: string | null
}
