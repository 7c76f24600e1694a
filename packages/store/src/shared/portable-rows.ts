import { createHash, type Hash } from 'node:crypto'

/**
 * The tables of a store in a form that every database can give and take, in the order in which they are taken. What is
 * derived from them (the list, the search, references, snapshots) is made anew. In brackets: what makes the order.
 *
 * - conversations: [id], owner, head
 * - blobs: [owner, hash], size in bytes, media type, time of the last upload; the last two are hints and not compared
 * - entries: [conversation, seq], checksum, body
 * - commands: [conversation, command], fingerprint, first seq, last seq
 * - leases: [conversation], epoch, holder or null, end
 * - drafts: [conversation, order of writing], run, step, deltas
 * - usage: [owner, time, conversation, seq], body
 * - records: [kind, owner, id], revision, change, time, value; a deleted one has null for all but its change
 * - uploads: [id], owner, hash, media type, conversation or null, time, 1 where it was used
 */
export const PORTABLE_TABLES = [
  'conversations',
  'blobs',
  'entries',
  'commands',
  'leases',
  'drafts',
  'usage',
  'records',
  'uploads',
] as const
export type PortableTable = (typeof PORTABLE_TABLES)[number]

/** A row: its cells in the order of the table. */
export type PortableRow = readonly (string | number | null)[]

/** A store that is read as it is at one moment. */
export interface PortableSource {
  /** The rows of a table in its order, some at a time. */
  rows(table: PortableTable): AsyncIterable<readonly PortableRow[]>
  /** The content of a blob, checked as it is read. @throws {DamagedBlobError} when it is not what was stored. */
  content(blob: BlobName): AsyncIterable<Uint8Array>
}

/** Names a content of an owner. */
export interface BlobName {
  readonly ownerId: string
  readonly hash: string
}

/** An empty store that takes rows; others see none of them before all have come. */
export interface PortableTarget extends PortableSource {
  write(table: PortableTable, rows: readonly PortableRow[]): Promise<void>
  writeContent(blob: BlobName, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Makes what is derived, once all rows are there. */
  derive(): Promise<void>
}

/** What a table holds: as many rows, with this hash over all of them. */
export interface TableSum {
  readonly rowCount: number
  readonly sha256: string
}

/** Sums up a table while its rows pass. */
export function createTableSum(table: PortableTable): { add(rows: readonly PortableRow[]): void; end(): TableSum } {
  const hash: Hash = createHash('sha256')
  let rowCount = 0
  return {
    add(rows) {
      rowCount += rows.length
      for (const row of rows) hash.update(`${JSON.stringify(table === 'blobs' ? row.slice(0, 3) : row)}\n`)
    },
    end: () => ({ rowCount, sha256: hash.digest('hex') }),
  }
}

/** A cell that is a text. */
export function textCell(cell: string | number | null | undefined): string {
  if (typeof cell === 'string') return cell
  throw new TypeError(`A cell is ${typeof cell} where a text was expected`)
}

/** A cell that is a number. */
export function numberCell(cell: string | number | null | undefined): number {
  if (typeof cell === 'number') return cell
  throw new TypeError(`A cell is ${typeof cell} where a number was expected`)
}
