import type { FoundLogsRow } from '@holdfast/protocol'

/** Logs of other programs, to be read. */
export interface OpenedLogs {
  /** Whose they are, for the report. */
  readonly name: string
  /** The only format that is taken. */
  readonly format: string
  /** One file that holds them, such as a zip archive. Nothing is read before it is iterated. */
  readonly content: AsyncIterable<Uint8Array>
}

/** Logs of other programs on the disk of the server. Names and sizes are looked at; content is read when somebody asked for its import. [CLI37] */
export interface FoundLogsPort {
  list(): Promise<readonly FoundLogsRow[]>
  /** @throws {RefusedError} when there are none by that id, or they are too many for one file. */
  open(id: string): Promise<OpenedLogs>
}
