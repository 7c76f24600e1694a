import { StoreOpenError } from '@holdfast/conversation'
import type { BucketOptions } from '../bucket/bucket.ts'
import { fillDatabase, withDatabaseSource } from '../postgres/maintenance/move-database.ts'
import {
  createTableSum,
  PORTABLE_TABLES,
  type PortableSource,
  type PortableTable,
  type PortableTarget,
  type TableSum,
  textCell,
} from '../shared/portable-rows.ts'
import { fillFolder, withFolderSource } from '../sqlite/maintenance/move-folder.ts'

/** A store in a folder of its own, or in a PostgreSQL database. */
export type StorePlace =
  | { readonly type: 'folder'; readonly dataDir: string }
  | { readonly type: 'database'; readonly connectionString: string }

/** A store that is copied to where there is none. */
export interface StoreMove {
  readonly from: StorePlace
  readonly to: StorePlace
  /** Where the store comes from, in words without a password: the target says so until all is there. */
  readonly described: string
  /** Where content of the source may be beside its database. */
  readonly bucket?: BucketOptions
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  readonly signal: AbortSignal
}

/** What was moved: how many rows of each table. */
export type MovedRows = Readonly<Record<PortableTable, number>>

/**
 * Copies everything of a store, compares what came with what was there, and shows the target to others then. The source
 * stays as it is. A move that breaks off leaves a target that says so and opens nowhere; the same move again begins anew. [CLI14]
 *
 * @throws {StoreOpenError} when the source is in use or missing, or the target holds a store.
 * @throws {DamagedLogError} when an entry of the source is not what was written; {DamagedBlobError} when a content is not.
 */
export async function moveStore({ from, to, described, bucket, now, signal }: StoreMove): Promise<MovedRows> {
  let moved: MovedRows | null = null
  await withSource({ place: from, now, ...(bucket === undefined ? {} : { bucket }) }, (source) =>
    withTarget(to, described, async (target) => {
      moved = await copyAll(source, target, signal)
    }),
  )
  if (moved === null) throw new Error('A move ended without a word on what it moved')
  return moved
}

function withSource(
  { place, bucket, now }: { readonly place: StorePlace; readonly bucket?: BucketOptions; readonly now: number },
  use: (source: PortableSource) => Promise<void>,
): Promise<void> {
  const contents = bucket === undefined ? {} : { bucket }
  switch (place.type) {
    case 'folder':
      return withFolderSource({ dataDir: place.dataDir, now, ...contents }, use)
    case 'database':
      return withDatabaseSource({ connectionString: place.connectionString, ...contents }, use)
  }
}

function withTarget(place: StorePlace, from: string, fill: (target: PortableTarget) => Promise<void>): Promise<void> {
  switch (place.type) {
    case 'folder':
      return fillFolder({ dataDir: place.dataDir, from }, fill)
    case 'database':
      return fillDatabase({ connectionString: place.connectionString, from }, fill)
  }
}

async function copyAll(source: PortableSource, target: PortableTarget, signal: AbortSignal): Promise<MovedRows> {
  const sums = new Map<PortableTable, TableSum>()
  for (const table of PORTABLE_TABLES) {
    const sum = createTableSum(table)
    for await (const rows of source.rows(table)) {
      signal.throwIfAborted()
      sum.add(rows)
      await target.write(table, rows)
      if (table !== 'blobs') continue
      for (const [owner, name] of rows) {
        const blob = { ownerId: textCell(owner), hash: textCell(name) }
        await target.writeContent(blob, source.content(blob))
      }
    }
    sums.set(table, sum.end())
  }
  await target.derive()
  await compare(target, sums, signal)
  const counts = PORTABLE_TABLES.map((table) => [table, sums.get(table)?.rowCount ?? 0] as const)
  return toMovedRows(new Map(counts))
}

/** Reads back all that was written: rows by their sums, contents by their hashes. */
async function compare(
  target: PortableTarget,
  sums: ReadonlyMap<PortableTable, TableSum>,
  signal: AbortSignal,
): Promise<void> {
  for (const table of PORTABLE_TABLES) {
    const sum = createTableSum(table)
    for await (const rows of target.rows(table)) {
      signal.throwIfAborted()
      sum.add(rows)
      if (table !== 'blobs') continue
      for (const [owner, name] of rows)
        await readThrough(target.content({ ownerId: textCell(owner), hash: textCell(name) }))
    }
    const [was, is] = [sums.get(table), sum.end()]
    if (was?.sha256 === is.sha256) continue
    const counts = `${was?.rowCount ?? 0} rows were there and ${is.rowCount} came`
    throw new StoreOpenError(
      'damaged',
      `The move of ${table} did not bring what was there (${counts}). The source is as it was`,
    )
  }
}

async function readThrough(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content) {
    // Reading it through is what checks it.
  }
}

function toMovedRows(counts: ReadonlyMap<PortableTable, number>): MovedRows {
  const of = (table: PortableTable): number => counts.get(table) ?? 0
  return {
    conversations: of('conversations'),
    blobs: of('blobs'),
    entries: of('entries'),
    commands: of('commands'),
    leases: of('leases'),
    drafts: of('drafts'),
    usage: of('usage'),
    records: of('records'),
    uploads: of('uploads'),
  }
}
