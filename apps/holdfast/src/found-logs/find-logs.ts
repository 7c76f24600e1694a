import type { Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
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

/** The logs of one place. */
export interface FoundLogs {
  readonly place: LogPlace
  readonly logs: readonly FoundLog[]
  /** Whether there may be more than were looked at. */
  readonly isCut: boolean
}

/** So many names of one place are looked at, and so deep. */
const MOST_NAMES = 20_000
const MOST_DEPTH = 5

/**
 * Looks at names and sizes, and reads no file. Links are not followed, and what belongs to another user of the machine is
 * not seen: neither a folder of his nor a file. `ownerId` is null where the system knows no owners. [CLI37]
 */
export async function findLogs(place: LogPlace, ownerId: number | null): Promise<FoundLogs> {
  const logs: FoundLog[] = []
  const waiting = [{ path: place.folder, name: '', depth: 0 }]
  let count = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const folder = at
    if (!isOwn(await statOf(folder.path), ownerId)) continue
    for (const entry of await namesIn(folder.path)) {
      count += 1
      if (count > MOST_NAMES) return { place, logs: logs.toSorted(newestFirst), isCut: true }
      const name = folder.name === '' ? entry.name : `${folder.name}/${entry.name}`
      const path = join(folder.path, entry.name)
      if (entry.isDirectory() && folder.depth < MOST_DEPTH) waiting.push({ path, name, depth: folder.depth + 1 })
      if (!entry.isFile() || !place.isLog.test(name)) continue
      const stats = await statOf(path)
      if (stats === null || !isOwn(stats, ownerId) || stats.size === 0) continue
      logs.push({ name, path, sizeBytes: stats.size, changedAt: Math.round(stats.mtimeMs) })
    }
  }
  return { place, logs: logs.toSorted(newestFirst), isCut: false }
}

function newestFirst(one: FoundLog, other: FoundLog): number {
  return other.changedAt - one.changedAt
}

function isOwn(stats: Stats | null, ownerId: number | null): boolean {
  return stats !== null && !stats.isSymbolicLink() && (ownerId === null || stats.uid === ownerId)
}

async function statOf(path: string): Promise<Stats | null> {
  return lstat(path).catch(unlessClosed(null))
}

async function namesIn(path: string) {
  return readdir(path, { withFileTypes: true }).catch(unlessClosed([]))
}

const CLOSED = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'])

/** What is not there, or not for this user, is not found. */
function unlessClosed<Value>(instead: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof Error && 'code' in error && CLOSED.has(String(error.code))) return instead
    throw error
  }
}
