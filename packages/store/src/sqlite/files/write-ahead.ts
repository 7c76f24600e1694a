import { closeSync, openSync, readSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { FAILED, isFileError, REFUSED } from './file-errors.ts'
import type { StoreFiles } from './files.ts'
import { changeFolderState, type FolderState, writeFolderState } from './folder-state.ts'
import { isSqliteError } from './sqlite-errors.ts'

/** The pages of the write-ahead file from which on they are taken into the database: 4 KiB each, 16 MiB in all. */
const PAGES = 4_096

/**
 * The write-ahead file of the connection that writes, and the generation by which its loss is told from its end.
 *
 * The generation is a number in the database and in the state file. Each new one is committed alone, then written into the
 * state file, and only then is anything else acknowledged. One begins when the store is opened and after each checkpoint,
 * so that the file `holdfast.sqlite` without its write-ahead file has the state's generation exactly when nothing that was
 * acknowledged is missing in it: SQLite took all of the write-ahead file in, also where the process ended before it could
 * say so. With a smaller generation, the newest part was lost, be the file gone, emptied, or an older one. [LOG7]
 *
 * Two things are not told by the generation. A write-ahead file of the same generation whose tail is missing reads as the
 * one of a machine that lost power, as an exact prefix. A process that is killed within a checkpoint leaves a database that
 * is half taken in: where its write-ahead file is lost as well, the structure of the database is read before it is trusted.
 */
export interface WriteAhead {
  /** Takes the pages into the database when there are many. Called after each commit. */
  afterCommit(): void
  /** Takes all in and empties the file; returns whether no reader kept it from that. */
  empty(): boolean
}

/** The generation of what a connection reads; 0 in tables that had none yet. */
export function readGeneration(database: Database): number {
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'generation'").get() !== undefined
  if (!isThere) return 0
  return database.prepare<[], { number: number }>('SELECT number FROM generation').get()?.number ?? 0
}

/** Begins the first generation of an open store; the state is durable when it returns. */
export function openWriteAhead(database: Database, files: StoreFiles, state: FolderState): WriteAhead {
  const mark = database.prepare<[number]>('UPDATE generation SET number = ?')
  let generation = Math.max(readGeneration(database), state.generation ?? 0) + 1
  mark.run(generation)
  writeFolderState(files, {
    pid: state.pid,
    openedAt: state.openedAt,
    established: true,
    open: true,
    restoring: state.restoring,
    searchDamaged: state.searchDamaged,
    purging: state.purging,
    movingFrom: null,
    generation,
  })
  let counted: Counted = { lap: '', pages: 0 }
  let takenAt: Counted = { lap: '', pages: 0 }
  let isDue = false

  /** What the disk refuses is done after the next commit. */
  const beginNext = (): void => {
    isDue = true
    try {
      mark.run(generation + 1)
      generation += 1
      changeFolderState(files, { generation })
      isDue = false
    } catch (error) {
      if (!isRefused(error)) throw error
    }
  }

  const take = (mode: 'PASSIVE' | 'TRUNCATE'): boolean => {
    try {
      const [result] = checkpointResults(database.pragma(`wal_checkpoint(${mode})`))
      return result?.busy === 0 && result.log === result.checkpointed
    } catch (error) {
      if (!isRefused(error)) throw error
      return false
    }
  }

  return {
    afterCommit() {
      if (isDue) beginNext()
      counted = countPages(files, counted)
      const before = takenAt.lap === counted.lap ? takenAt.pages : 0
      if (counted.pages - before < PAGES) return
      take('PASSIVE')
      // A reader may hold the file as it is: then it grows, and is tried again when it has grown as much once more.
      takenAt = counted
      beginNext()
    },
    empty() {
      const isEmpty = take('TRUNCATE')
      beginNext()
      return isEmpty
    },
  }
}

/**
 * Takes all of the write-ahead file in and says in the state that it may be missing from now on. What the disk refuses
 * meanwhile loses nothing: the next start takes it from there.
 */
export function endWriteAhead(database: Database, files: StoreFiles): void {
  try {
    const [result] = checkpointResults(database.pragma('wal_checkpoint(TRUNCATE)'))
    if (result?.busy === 0) changeFolderState(files, { open: false })
  } catch (error) {
    if (!isRefused(error)) throw error
  }
}

function isRefused(error: unknown): boolean {
  return isSqliteError(error, ...REFUSED_BY_DISK) || isFileError(error, ...REFUSED, ...FAILED)
}

/** What SQLite says when the disk refuses, or a reader. */
const REFUSED_BY_DISK = [
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_READONLY',
  'SQLITE_CORRUPT',
  'SQLITE_PERM',
]

interface CheckpointResult {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

function checkpointResults(rows: unknown): readonly CheckpointResult[] {
  return Array.isArray(rows) ? rows : []
}

/** How many pages the write-ahead file has, in which round through it: its salts, which each round has anew. */
interface Counted {
  readonly lap: string
  readonly pages: number
}

const FILE_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const PAGE_SIZE_AT = 8
const SALTS_AT = 16
const FRAME_SALTS_AT = 8
const SALTS_BYTES = 8

/**
 * Counts the pages by the format of the file (https://sqlite.org/fileformat2.html#walformat): those of this round have its
 * salts. SQLite counts by itself only to take them in by itself, and does not say when it has.
 */
function countPages({ wal }: StoreFiles, known: Counted): Counted {
  const file = opened(wal)
  if (file === null) return known
  try {
    const header = Buffer.alloc(FILE_HEADER_BYTES)
    if (readSync(file, header, 0, FILE_HEADER_BYTES, 0) < FILE_HEADER_BYTES) return { lap: '', pages: 0 }
    const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(PAGE_SIZE_AT)
    const lap = header.toString('latin1', SALTS_AT, SALTS_AT + SALTS_BYTES)
    const salts = Buffer.alloc(SALTS_BYTES)
    const isThere = (page: number): boolean => {
      const at = FILE_HEADER_BYTES + (page - 1) * frameBytes + FRAME_SALTS_AT
      return readSync(file, salts, 0, SALTS_BYTES, at) === SALTS_BYTES && salts.toString('latin1') === lap
    }
    let pages = known.lap === lap ? known.pages : 0
    let step = 1
    for (; isThere(pages + step); step *= 2) pages += step
    for (; step >= 1; step /= 2) if (isThere(pages + step)) pages += step
    return { lap, pages }
  } finally {
    closeSync(file)
  }
}

/** Null where somebody removed it: SQLite goes on with what it has open, and the next start finds out. */
function opened(wal: string): number | null {
  try {
    return openSync(wal, 'r')
  } catch (error) {
    if (isFileError(error, 'ENOENT', 'EMFILE', 'ENFILE', ...REFUSED, ...FAILED)) return null
    throw error
  }
}
