import type { ServerFrame } from '@holdfast/protocol'

/** One reader's end of a line, whatever the line is. */
export interface Outlet {
  /** Sends a frame, in order. On a line whose reader does not keep up it cuts the line instead. [SYNC3] */
  send(frame: ServerFrame): void
  /**
   * Waits until little of what was sent is still on its way.
   *
   * @throws {LineClosedError} when the line is closed, or cut because its reader did not read for too long.
   */
  drained(): Promise<void>
}

/** The line is closed; there is nobody to send to. */
export class LineClosedError extends Error {
  override readonly name = 'LineClosedError'
  readonly code = 'line-closed'
}

/** How much a line may hold back for its reader. */
export interface LineLimits {
  /** A line with more than this on its way is cut, in bytes. */
  readonly maxBufferedBytes: number
  /** A page is sent only when less than this is on its way, in bytes. */
  readonly lowBufferedBytes: number
  /** How long a reader may take to read one page, in milliseconds. */
  readonly maxDrainMs: number
  /** How long a closing line may take before it is torn down, in milliseconds. */
  readonly maxCloseMs: number
}

/** The limits of a line, unless tests set others. */
export const LINE_LIMITS: LineLimits = {
  maxBufferedBytes: 8 * 1024 * 1024,
  lowBufferedBytes: 256 * 1024,
  maxDrainMs: 30_000,
  maxCloseMs: 5_000,
}
