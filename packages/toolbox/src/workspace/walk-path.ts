import type { Stats } from 'node:fs'
import { mkdir, readlink } from 'node:fs/promises'
import { isGitsOwn } from '@holdfast/tool'
import type { ClosedPlaces } from './closed-places.ts'
import { FileRefusal, withSystemErrors } from './file-refusal.ts'
import { type HeldFolder, type Holding, holdFolder, isStillThere, statOrNull } from './held-folder.ts'
import { nearestNames } from './nearest-names.ts'
import { type Letters, outside, segmentsBelow, segmentsOfInput, splitPath } from './workspace-path.ts'

/** Where a path leads: a name in a folder that is held open. */
export interface Place {
  /** As the tool was given it. */
  readonly given: string
  /** Real names from the root of the workspace, joined by slashes; `.` for the root itself. */
  readonly path: string
  readonly segments: readonly string[]
  /** The folder that has the name; for the root, the root. */
  readonly folder: HeldFolder
  /** Null for the root itself. */
  readonly name: string | null
  /** What was there when the walk ended; null for nothing. To be checked again on what is opened. */
  readonly stats: Stats | null
  /** Folders that the walk made on its way, the outermost first. */
  readonly made: readonly MadeFolder[]
}

/** A folder that was made. */
export interface MadeFolder {
  readonly path: string
  readonly mode: number
}

/** What a walk needs. */
export interface Walk {
  /** The real path of the root. */
  readonly rootPath: string
  /** Under which names the root may be given in absolute paths and links. */
  readonly rootNames: readonly string[]
  readonly holding: Holding
  readonly closed: ClosedPlaces
}

/** A path to walk. */
export interface WalkOptions {
  readonly path: string
  /** Whether a link in the last place is followed. */
  readonly lastLink: 'follow' | 'keep'
  /** What is done where a folder on the way is missing. */
  readonly missingFolders: 'refuse' | 'make'
  /** `plain` where it is not given. */
  readonly letters?: Letters
}

const MOST_LINKS = 40
/** Of folders that a walk goes through, links and all. */
const MOST_FOLDERS = 512

/**
 * Walks a path name by name, each opened from the folder before it without following links, and calls `use` with
 * where it ends. Links are read and walked the same way, so no name, link or race leads out of the root. [WS1]
 *
 * @throws {FileRefusal} when it leads out, or through something that is not a folder.
 */
export async function withPlace<Value>(
  walk: Walk,
  options: WalkOptions,
  use: (place: Place) => Promise<Value>,
): Promise<Value> {
  const held: HeldFolder[] = []
  try {
    return await withSystemErrors(options.path, async () => use(await findPlace(walk, options, held)))
  } finally {
    for (const { handle } of held) await handle.close()
  }
}

async function findPlace(
  walk: Walk,
  { path, lastLink, missingFolders, letters }: WalkOptions,
  held: HeldFolder[],
): Promise<Place> {
  const { rootPath, rootNames, holding, closed } = walk
  const refuse = (code: 'not-found' | 'not-a-folder' | 'bad-name' | 'conflict', message: string) =>
    new FileRefusal({ code, path, message })
  let waiting = [...segmentsOfInput(path, rootNames, letters ?? 'plain')]
  const root = await holdFolder(rootPath, { segments: [], holding })
  held.push(root)
  if (holding === 'by-handle' && (await readlink(root.at)) !== rootPath)
    throw refuse('conflict', `The workspace ${rootPath} is reached by a link now; it was a folder when it was opened.`)
  if (closed.covers(rootPath) || closed.are(await root.handle.stat())) throw closedToTools(path)
  /** The folders from the root to where the walk is. */
  const way: HeldFolder[] = [root]
  const made: MadeFolder[] = []
  const placeIn = (folder: HeldFolder, name: string | null, stats: Stats | null) =>
    placeOf(path, { folder, name, stats, made })
  let linkCount = 0

  for (;;) {
    const folder = way.at(-1) ?? root
    const segment = waiting.shift()
    if (segment === undefined) return placeIn(folder, null, await folder.handle.stat())
    if (segment === '..') {
      if (way.length === 1) throw outside(path)
      way.pop()
      continue
    }
    const isLast = waiting.length === 0
    if (closed.covers([rootPath, ...folder.segments, segment].join('/'))) throw closedToTools(path)
    const stats = await statOrNull(`${folder.at}/${segment}`)
    if (stats === null) {
      if (isLast) return placeIn(folder, segment, stats)
      if (missingFolders === 'refuse') throw refuse('not-found', await absentInWords(path, { folder, name: segment }))
      made.push(await makeFolder(folder, segment))
      waiting = [segment, ...waiting]
      continue
    }
    if (stats.isSymbolicLink() && !(isLast && lastLink === 'keep')) {
      if (++linkCount > MOST_LINKS) throw refuse('bad-name', `${path} goes through more than ${MOST_LINKS} links.`)
      const target = await readlink(`${folder.at}/${segment}`)
      const below = target.startsWith('/') ? segmentsBelow(splitPath(target), rootNames) : splitPath(target)
      if (below === null) throw outside(path)
      if (target.startsWith('/')) way.length = 1
      waiting = [...below, ...waiting]
      continue
    }
    if (isLast) return placeIn(folder, segment, stats)
    if (!stats.isDirectory()) throw refuse('not-a-folder', `${joined(folder, segment)} is not a folder.`)
    if (held.length >= MOST_FOLDERS) throw refuse('bad-name', `${path} goes through too many folders.`)
    const next = await enter(walk, { folder, name: segment })
    held.push(next)
    way.push(next)
  }
}

async function makeFolder(folder: HeldFolder, name: string): Promise<MadeFolder> {
  refuseGitsOwn([...folder.segments, name])
  await mkdir(`${folder.at}/${name}`)
  return { path: joined(folder, name), mode: ((await statOrNull(`${folder.at}/${name}`))?.mode ?? 0o755) & 0o777 }
}

/** @throws {FileRefusal} for a path in git's own folder: what stands there is run by git, so only git writes it. */
export function refuseGitsOwn(segments: readonly string[]): void {
  const path = segments.join('/')
  const message = `${path} belongs to git, and only git changes it. Use git in the shell.`
  if (isGitsOwn(segments)) throw new FileRefusal({ code: 'protected', path, message })
}

/** Opens a folder in a held one. @throws {FileRefusal} when it is closed to tools. */
export async function enter(
  { holding, closed }: Pick<Walk, 'holding' | 'closed'>,
  { folder, name }: { readonly folder: HeldFolder; readonly name: string },
): Promise<HeldFolder> {
  const next = await holdFolder(`${folder.at}/${name}`, { segments: [...folder.segments, name], holding })
  const isClosed = closed.are(await next.handle.stat())
  if (!isClosed && (await isStillThere(folder))) return next
  await next.handle.close()
  throw isClosed ? closedToTools(joined(folder, name)) : changed(joined(folder, name))
}

/** The refusal of what belongs to the server. */
export function closedToTools(path: string): FileRefusal {
  const message = `${path} belongs to the server that runs you, and is closed to tools. Leave it alone.`
  return new FileRefusal({ code: 'protected', path, message })
}

/** The refusal of what was replaced while it was used. */
export function changed(path: string): FileRefusal {
  return new FileRefusal({ code: 'conflict', path, message: `${path} changed while it was used. Look at it again.` })
}

/** What is so and what to do when a name is not there. */
export async function absentInWords(
  path: string,
  { folder, name }: { readonly folder: HeldFolder; readonly name: string },
): Promise<string> {
  const where = folder.segments.length === 0 ? 'the workspace' : folder.segments.join('/')
  const near = await nearestNames(folder.at, name)
  const hint = near.length === 0 ? '' : ` Near it: ${near.map((other) => joined(folder, other)).join(', ')}.`
  return `There is no ${name} in ${where} (${path}).${hint} Use \`list\` or \`glob\` to see what is there.`
}

function joined(folder: HeldFolder, name: string): string {
  return [...folder.segments, name].join('/')
}

function placeOf(
  given: string,
  { folder, name, stats, made }: Pick<Place, 'folder' | 'name' | 'stats' | 'made'>,
): Place {
  // A path that ends in `..` or `.` names the folder itself: it is taken as a name in itself, without one.
  const segments = name === null ? folder.segments : [...folder.segments, name]
  return { given, path: segments.join('/') || '.', segments, folder, name, stats, made }
}
