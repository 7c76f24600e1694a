import { constants, type Stats } from 'node:fs'
import { access, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPlace } from './log-places.ts'

/** A log of another program, which nobody has read. */
export interface FoundLog {
  /** In the folder of its place, with `/`. */
  readonly name: string
  readonly path: string
  readonly sizeBytes: number
  /** Milliseconds since the Unix epoch. */
  readonly changedAt: number
}

/** A log, or a folder of logs, that is there and may not be read. */
export type UnreadableLog = Pick<FoundLog, 'name' | 'path'>

/** The logs of one place. */
export interface FoundLogs {
  readonly place: LogPlace
  readonly logs: readonly FoundLog[]
  /** This user's own logs and folders that he may not read, sorted by name. */
  readonly unreadable: readonly UnreadableLog[]
  /** Whether there may be more than were looked at. */
  readonly isCut: boolean
}

/** So many names of one place are looked at, and so deep. */
const MOST_NAMES = 20_000
const MOST_DEPTH = 5

/**
 * Looks at names and sizes, and reads no file. Links are not followed, and what belongs to another user of the machine is
 * not seen: neither a folder of his nor a file. What is this user's own and may not be read is told by name. `ownerId` is
 * null where the system knows no owners. [CLI37, CLI43]
 */
export async function findLogs(place: LogPlace, ownerId: number | null): Promise<FoundLogs> {
  const logs: FoundLog[] = []
  const unreadable: UnreadableLog[] = []
  const waiting = [{ path: place.folder, name: '', depth: 0 }]
  let count = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const folder = at
    if (!isOwn(await statOf(folder.path), ownerId)) continue
    const entries = await namesIn(folder.path)
    if (entries === null) {
      unreadable.push({ name: folder.name, path: folder.path })
      continue
    }
    for (const entry of entries) {
      count += 1
      if (count > MOST_NAMES)
        return { place, logs: logs.toSorted(newestFirst), unreadable: unreadable.toSorted(byName), isCut: true }
      const name = folder.name === '' ? entry.name : `${folder.name}/${entry.name}`
      const path = join(folder.path, entry.name)
      if (entry.isDirectory() && folder.depth < MOST_DEPTH && place.isLookedInto?.test(name) !== false)
        waiting.push({ path, name, depth: folder.depth + 1 })
      if (!entry.isFile() || !place.isLog.test(name)) continue
      const stats = await statOf(path)
      if (stats === null || !isOwn(stats, ownerId) || stats.size === 0) continue
      if (await isReadable(path)) logs.push({ name, path, sizeBytes: stats.size, changedAt: Math.round(stats.mtimeMs) })
      else unreadable.push({ name, path })
    }
  }
  return { place, logs: logs.toSorted(newestFirst), unreadable: unreadable.toSorted(byName), isCut: false }
}

function newestFirst(one: FoundLog, other: FoundLog): number {
  return other.changedAt - one.changedAt
}

function byName(one: UnreadableLog, other: UnreadableLog): number {
  return one.name < other.name ? -1 : 1
}

function isOwn(stats: Stats | null, ownerId: number | null): boolean {
  return stats !== null && !stats.isSymbolicLink() && (ownerId === null || stats.uid === ownerId)
}

async function statOf(path: string): Promise<Stats | null> {
  return lstat(path).catch(unlessClosed(null))
}

/** Null where the folder may not be read. */
async function namesIn(path: string) {
  return readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    return isForbidden(error) ? null : unlessClosed([])(error)
  })
}

/** Asks the system for the right alone: nothing is opened. What has gone meanwhile is left out when it is read. */
async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    (error: unknown) => !isForbidden(error),
  )
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
}

const CLOSED = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'])

/** What is not there, or not for this user, is not found. */
function unlessClosed<Value>(instead: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof Error && 'code' in error && CLOSED.has(String(error.code))) return instead
    throw error
  }
}
