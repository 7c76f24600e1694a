/** Lets commands commit in a folder whose repository they may only read; see docs/decisions/0047. [WS12] */
export interface CommitRoom {
  /** Before a command: what the sandbox and git need for it. Null where no commit can be made now. */
  begin(): Promise<CommitPlace | null>
}

/** What one command commits with. */
export interface CommitPlace {
  /** Arguments of the sandbox, above what may be read. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** After the command, when nothing of it runs any more: takes over what was committed, and says what was not. */
  finish(): Promise<readonly string[]>
}
