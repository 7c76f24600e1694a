import { type FSWatcher, watch } from 'node:fs'
import type { Clock } from '@holdfast/conversation'
import { FileRefusal, systemCode } from '../workspace/file-refusal.ts'
import { withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { withFolder } from './with-folder.ts'

/** A file or folder as somebody knows it. */
export interface SeenPlace {
  readonly path: string
  /** What it was known by; empty for one that is not known yet. */
  readonly stamp: string
}

/** What is so now. */
export interface PlaceNews {
  /** Those that are not what they were known as. */
  readonly changed: readonly SeenPlace[]
  /** Whether something was written in one of the folders, though the same names stand in it. */
  readonly isTouched: boolean
}

/** How long is waited, and for what. */
export interface ChangeWish {
  readonly seen: readonly SeenPlace[]
  readonly limitMs: number
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** The stamp of what is not there, or may not be looked at. */
export const GONE = 'gone'

/** After the first sign so long is waited for what belongs to it, in milliseconds. */
const GATHER_MS = 40
/** How often is looked where the system tells of changes: on a network mount it tells of its own alone. In milliseconds. */
const TOLD_POLL_MS = 2_000
/** How often is looked where it tells of none, in milliseconds. */
const UNTOLD_POLL_MS = 200

/**
 * Waits until one of the places is not what it was known as, or the time is over. Nobody is told what is in them: only
 * that they are others. [WS16]
 */
export async function waitForChange(
  workspace: Workspace,
  { seen, limitMs, signal, clock }: ChangeWish,
): Promise<PlaceNews> {
  const watchers: FSWatcher[] = []
  let isTouched = false
  let isOver = false
  let wake = (): void => {}
  const cancel = clock.after(limitMs, () => {
    isOver = true
    wake()
  })
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  const onTold = (): void => {
    isTouched = true
    wake()
  }
  const rest = async (restMs: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const stop = clock.after(restMs, resolve)
    await promise
    stop()
    wake = () => {}
  }
  try {
    const isTold = await watchAll(workspace, seen, { watchers, onTold })
    for (;;) {
      const changed = await changedOf(workspace, seen)
      if (changed.length > 0 || isTouched || isOver || signal.aborted) return { changed, isTouched }
      await rest(isTold ? TOLD_POLL_MS : UNTOLD_POLL_MS)
      if (isTouched && !signal.aborted) await rest(GATHER_MS)
    }
  } finally {
    cancel()
    signal.removeEventListener('abort', onAbort)
    for (const watcher of watchers) watcher.close()
  }
}

interface Watching {
  readonly watchers: FSWatcher[]
  readonly onTold: () => void
}

/** @returns whether the system tells of all of them. */
async function watchAll(workspace: Workspace, seen: readonly SeenPlace[], watching: Watching): Promise<boolean> {
  let isTold = true
  for (const { path } of seen) if (!(await watchOne(workspace, path, watching))) isTold = false
  return isTold
}

/** Of a file, the folder is watched: what saves it may put another in its place. */
async function watchOne(workspace: Workspace, path: string, watching: Watching): Promise<boolean> {
  try {
    const walk = { path, lastLink: 'follow', missingFolders: 'refuse', letters: 'any' } as const
    return await withPlace(workspace, walk, async ({ folder, name, stats }) =>
      name !== null && stats?.isDirectory()
        ? withFolder(workspace, path, async ({ at }) => begin(at, null, watching))
        : begin(folder.at, name, watching),
    )
  } catch (error) {
    if (error instanceof FileRefusal) return true
    throw error
  }
}

/** Where no more can be watched is looked more often instead. */
function begin(at: string, onlyName: string | null, { watchers, onTold }: Watching): boolean {
  try {
    const watcher = watch(at, { persistent: false }, (_, name) => {
      if (onlyName === null || name === null || name === onlyName) onTold()
    })
    watcher.on('error', onTold)
    watchers.push(watcher)
    return true
  } catch (error) {
    if (systemCode(error) === null) throw error
    return false
  }
}

async function changedOf(workspace: Workspace, seen: readonly SeenPlace[]): Promise<readonly SeenPlace[]> {
  const now = await Promise.all(seen.map(async ({ path }) => ({ path, stamp: await stampOf(workspace, path) })))
  return now.filter(({ stamp }, index) => stamp !== seen[index]?.stamp)
}

async function stampOf(workspace: Workspace, path: string): Promise<string> {
  try {
    const walk = { path, lastLink: 'follow', missingFolders: 'refuse', letters: 'any' } as const
    return await withPlace(workspace, walk, async ({ stats }) => {
      if (stats === null) return GONE
      const { ino, size, mtimeMs, ctimeMs } = stats
      return stats.isDirectory() ? `${ino}-${mtimeMs}` : `${ino}-${size}-${mtimeMs}-${ctimeMs}`
    })
  } catch (error) {
    if (error instanceof FileRefusal) return GONE
    throw error
  }
}
