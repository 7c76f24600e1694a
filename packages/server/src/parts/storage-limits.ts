/** What uploads and imports may take: each a setting of the installation. */
export interface StorageLimits {
  /** One attachment, in bytes. */
  readonly attachmentBytes: number
  /** What is kept of one user beside the logs, files that wait to be imported included, in bytes. */
  readonly userBytes: number
  /** What is kept of all users together, in bytes. */
  readonly allBytes: number
  /** What stays free on the disk of the data folder, in bytes. */
  readonly freeBytes: number
  /** A file to import, as it is sent. */
  readonly importBytes: number
  /** What it holds once it is unpacked. */
  readonly importUnpackedBytes: number
  /** Files inside an archive, those that are no logs included. */
  readonly importFileCount: number
  /** Entries that one import may write. */
  readonly importEntryCount: number
  /** Imports of one user that run or wait. */
  readonly importsOfUser: number
}

const MIB = 1_024 * 1_024
const GIB = 1_024 * MIB

/** The usual limits. */
export const STORAGE_LIMITS: StorageLimits = {
  attachmentBytes: 32 * MIB,
  userBytes: 10 * GIB,
  allBytes: 100 * GIB,
  freeBytes: 512 * MIB,
  importBytes: 4 * GIB,
  importUnpackedBytes: 16 * GIB,
  importFileCount: 100_000,
  importEntryCount: 5_000_000,
  importsOfUser: 100,
}

/** A limit as people read it. */
export function inWords(bytes: number): string {
  if (bytes >= GIB) return `${round(bytes / GIB)} GiB`
  return bytes >= MIB ? `${round(bytes / MIB)} MiB` : `${bytes} bytes`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
