/** How a line ended. */
export interface LineEnd {
  /** The close code, where the other side sent one. */
  readonly code: number | null
  /** The server does not know who this is: trying again does not help. */
  readonly unauthorized: boolean
}

/** What a line tells its user. After `onClose`, and after the user's own `close`, nothing more comes. */
export interface LineEvents {
  onOpen(): void
  onText(text: string): void
  onClose(end: LineEnd): void
}

/** One connection. */
export interface Line {
  /** Sends a frame; does nothing when the line is not open. */
  send(text: string): void
  close(): void
}

/** The way to a server. Each call makes one attempt at a new line; its events come later, never during the call. */
export interface Transport {
  open(events: LineEvents): Line
}
