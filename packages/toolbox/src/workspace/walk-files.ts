import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { readAt } from './file-bytes.ts'
import { FileRefusal, systemCode } from './file-refusal.ts'
import type { HeldFolder } from './held-folder.ts'
import { statOrNull } from './held-folder.ts'
import { type IgnoreRules, isIgnored, readIgnoreRules } from './ignore-rules.ts'
import { enter, type Place, withPlace } from './walk-path.ts'
import type { Workspace } from './workspace.ts'

/** One thing in a folder. */
export interface FolderEntry {
  readonly name: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
}

/** A file that a walk over the tree came to. */
export interface WalkedFile {
  readonly segments: readonly string[]
  readonly path: string
  /** From the folder in which the walk began. */
  readonly pathBelow: string
  /** Reads it from the folder in which it was found. */
  read(limitBytes: number): Promise<Buffer>
}

/** What a walk over the tree is told. */
export interface TreeWalk {
  readonly path: string
  /** Whether what `.gitignore` files name, and git's own folder, is left out. */
  readonly ignored: 'skip' | 'include'
  readonly signal: AbortSignal
  /** Files and folders to look at, at most. */
  readonly limitCount: number
  /** Returns false to end the walk. */
  readonly onFile: (file: WalkedFile) => Promise<boolean>
}

/** How a walk ended: over everything, by `onFile`, or at its limit. */
export type WalkEnd = 'complete' | 'ended' | 'limit'

const IGNORE_FILE_BYTES = 1 << 20
const DEEPEST = 100
/** Names that the system is asked for in one call. */
const READ_AT_ONCE = 512

/** Comes to every file below a path, by name, or to the one file that it names; links are not followed. */
export function walkFiles(workspace: Workspace, walk: TreeWalk): Promise<WalkEnd> {
  const { path } = walk
  return withPlace(workspace, { path, lastLink: 'follow', missingFolders: 'refuse' }, async (place) => {
    const { folder, name, stats, segments } = place
    if (stats === null) throw new FileRefusal({ code: 'not-found', path, message: `There is no ${path}.` })
    const isFolder = stats.isDirectory()
    const startDepth = isFolder ? segments.length : segments.length - 1
    const state: WalkState = { workspace, walk, leftCount: walk.limitCount, startDepth }
    if (name !== null && !isFolder)
      return (await walk.onFile(walkedFile(state, { folder, name }))) ? 'complete' : 'ended'
    // Rules of the folders above apply as well; they are read on the way down from the root.
    const above = walk.ignored === 'skip' ? await rulesAbove(workspace, segments) : []
    if (name === null) return walkFolder(folder, { state, ruleSets: above })
    return entering(folder, { name, state, ruleSets: above })
  })
}

interface WalkState {
  readonly workspace: Workspace
  readonly walk: TreeWalk
  readonly startDepth: number
  leftCount: number
}

interface WalkIn {
  readonly state: WalkState
  readonly ruleSets: readonly IgnoreRules[]
}

async function entering(
  folder: HeldFolder,
  { name, state, ruleSets }: WalkIn & { readonly name: string },
): Promise<WalkEnd> {
  let next: HeldFolder
  try {
    next = await enter(state.workspace, { folder, name })
  } catch (error) {
    // Gone, replaced or closed to us since it was listed: there is nothing to walk.
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return 'complete'
    // Closed to tools: a walk over what is above it goes on without it.
    if (error instanceof FileRefusal && error.code === 'protected') return 'complete'
    throw error
  }
  try {
    return await walkFolder(next, { state, ruleSets })
  } finally {
    await next.handle.close()
  }
}

async function walkFolder(folder: HeldFolder, { state, ruleSets }: WalkIn): Promise<WalkEnd> {
  const { walk } = state
  const skips = walk.ignored === 'skip'
  const own = skips ? await rulesIn(state.workspace, folder) : null
  const all = own === null ? ruleSets : [...ruleSets, own]
  for (const { name, type } of await entriesOf(folder, state.leftCount + 1)) {
    walk.signal.throwIfAborted()
    if (state.leftCount-- <= 0) return 'limit'
    const segments = [...folder.segments, name]
    if (state.workspace.closed.covers([state.workspace.rootPath, ...segments].join('/'))) continue
    if (skips && (name === '.git' || isIgnored(segments, { isFolder: type === 'folder', ruleSets: all }))) continue
    if (type === 'folder' && segments.length <= DEEPEST) {
      const end = await entering(folder, { name, state, ruleSets: all })
      if (end !== 'complete') return end
    }
    if (type === 'file' && !(await walk.onFile(walkedFile(state, { folder, name })))) return 'ended'
  }
  return 'complete'
}

/** What is in a held folder, by name. */
export async function entriesOf(folder: HeldFolder, limitCount: number): Promise<readonly FolderEntry[]> {
  const entries: FolderEntry[] = []
  for await (const entry of await opendir(folder.at, { bufferSize: READ_AT_ONCE })) {
    entries.push({ name: entry.name, type: await typeOf(entry, folder) })
    if (entries.length >= limitCount) break
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function typeOf(entry: Dirent, folder: HeldFolder): Promise<FolderEntry['type']> {
  // Some disks do not say in the list what a name is.
  const isSaid = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
  const kind = isSaid ? entry : ((await statOrNull(`${folder.at}/${entry.name}`)) ?? entry)
  if (kind.isFile()) return 'file'
  if (kind.isDirectory()) return 'folder'
  return kind.isSymbolicLink() ? 'link' : 'other'
}

function walkedFile(
  { workspace, startDepth }: WalkState,
  { folder, name }: { readonly folder: HeldFolder; readonly name: string },
): WalkedFile {
  const segments = [...folder.segments, name]
  return {
    segments,
    path: segments.join('/'),
    pathBelow: segments.slice(startDepth).join('/'),
    async read(limitBytes) {
      const place = await placeIn(folder, name)
      return (await readAt(workspace, { place, limitBytes })).bytes
    },
  }
}

async function placeIn(folder: HeldFolder, name: string): Promise<Place> {
  const segments = [...folder.segments, name]
  const path = segments.join('/')
  return { given: path, path, segments, folder, name, stats: await statOrNull(`${folder.at}/${name}`), made: [] }
}

/** The rules of a folder's own `.gitignore`; null where it has none. */
export async function rulesIn(workspace: Workspace, folder: HeldFolder): Promise<IgnoreRules | null> {
  try {
    const place = await placeIn(folder, '.gitignore')
    if (place.stats === null) return null
    const { bytes } = await readAt(workspace, { place, limitBytes: IGNORE_FILE_BYTES })
    return readIgnoreRules(bytes.toString('utf8'), folder.segments.length)
  } catch (error) {
    // A `.gitignore` that cannot be read, or is no file, ignores nothing.
    if (error instanceof FileRefusal || systemCode(error) !== null) return null
    throw error
  }
}

/** The rules of the folders between the root and a folder, that folder left out. */
export async function rulesAbove(workspace: Workspace, segments: readonly string[]): Promise<readonly IgnoreRules[]> {
  const sets: IgnoreRules[] = []
  for (let depth = 0; depth < segments.length; depth++) {
    const path = segments.slice(0, depth).join('/') || '.'
    const set = await withPlace(workspace, { path, lastLink: 'keep', missingFolders: 'refuse' }, async (place) => {
      if (place.name === null) return rulesIn(workspace, place.folder)
      const folder = await enter(workspace, { folder: place.folder, name: place.name })
      try {
        return await rulesIn(workspace, folder)
      } finally {
        await folder.handle.close()
      }
    })
    if (set !== null) sets.push(set)
  }
  return sets
}
