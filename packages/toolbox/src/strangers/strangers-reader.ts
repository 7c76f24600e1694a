import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { mayBringStrangers, type ReadWord, readWordsOf, type ToolContext, type ToolDefinition } from '@holdfast/tool'
import { readBytes } from '../workspace/file-bytes.ts'
import { FileRefusal, systemCode } from '../workspace/file-refusal.ts'
import { withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { FileOrigins } from './file-origins.ts'
import { isPackageFolder, liesInPackages } from './package-folders.ts'

/** What a call reports to. */
type Report = ToolContext['report']

/** Has the calls of one conversation report which files of strangers they read. [PERM7] */
export interface StrangersReader {
  /** Files whose words, or names, a call gives to the model. */
  read(files: readonly FileRead[], report: Report): Promise<void>
  /** A command line that is about to run; one that may bring words of strangers by itself is marked as such already. */
  runs(line: LineRun, report: Report): Promise<void>
}

/** A file that was read; `hash` is that of its content, null for its name alone. */
export interface FileRead {
  readonly path: string
  readonly hash: string | null
}

/** A command line, and the folder in which it began. */
export interface LineRun {
  readonly line: string
  /** Absolute. */
  readonly folder: string
  readonly definition: ToolDefinition
}

/** Words of one line that are looked up. */
const MOST_WORDS = 200
const MOST_NAMES = 2_000
const HASHED_BYTES = 16 << 20
/** Files of strangers that are named for one call. */
const MOST_TOLD = 20

/** Makes the reader of one conversation. What the conversation has seen already brings nothing new when it is read again. */
export function createStrangersReader(workspace: Workspace, origins: FileOrigins): StrangersReader {
  const known = new Set<string>()

  function tell(files: readonly string[], report: Report): void {
    if (files.length > 0) report({ type: 'strangers-read', files: [...new Set(files)].slice(0, MOST_TOLD) })
  }

  /** Those of strangers that the conversation has not seen yet. */
  async function newOnes(files: readonly FileRead[]): Promise<readonly string[]> {
    const found: string[] = []
    for (const { path, hash } of files) {
      const own = `file ${hash ?? 'name'} ${path}`
      const stranger = known.has(own) ? null : await strangerAt(path, hash)
      const key = stranger?.key ?? own
      if (stranger === null || known.has(key)) continue
      known.add(key)
      found.push(path)
    }
    return found
  }

  async function strangerAt(path: string, hash: string | null): ReturnType<FileOrigins['strangerAt']> {
    if (liesInPackages(path.split('/'))) return { key: null }
    return origins.strangerAt({ absolutePath: `${workspace.rootPath}/${path}`, hash })
  }

  /** Files of strangers that a word of a line may have read. What lies outside the workspace nobody here knows. */
  async function readBy({ path, depth }: ReadWord): Promise<readonly string[]> {
    const found = await placeOf(workspace, path)
    switch (found.type) {
      case 'nothing':
        return []
      case 'outside':
        return path.startsWith('/dev/') ? [] : [path]
      case 'file':
        return newOnes([found.file])
      case 'folder': {
        const inside = found.names.map((name) => ({ path: joined(found.path, name), hash: null }))
        if (depth === 'names') return newOnes(inside)
        // What stands in them was not looked at here, so that it may be new each time.
        const strangers = await Promise.all(
          inside.map(async ({ path: own }) => ((await strangerAt(own, null)) ? own : null)),
        )
        const isBelow = depth === 'below' && (await holdsStrangers(found))
        return [...strangers.filter((own) => own !== null), ...(isBelow ? [found.path] : [])]
      }
    }
  }

  /** Packages are looked for in a folder and in the folders in it. */
  async function holdsStrangers({ path, names }: Found & { readonly type: 'folder' }): Promise<boolean> {
    const folder = `${workspace.rootPath}/${path}`
    if (liesInPackages([...path.split('/'), '']) || (await origins.hasStrangersBelow(folder))) return true
    if (names.some(isPackageFolder)) return true
    const inner = await Promise.all(names.map((name) => namesIn(`${folder}/${name}`)))
    return inner.flat().some(isPackageFolder)
  }

  return {
    read: async (files, report) => tell(await newOnes(files), report),
    async runs({ line, folder, definition }, report) {
      if (mayBringStrangers(definition, { command: line })) return
      const { folders, words } = readWordsOf(line)
      const found: string[] = []
      for (const { path, depth } of words.slice(0, MOST_WORDS))
        for (const start of folders)
          found.push(...(await readBy({ path: absoluteOf(path, resolve(folder, start)), depth })))
      tell(found, report)
    },
  }
}

type Found =
  | { readonly type: 'nothing' }
  | { readonly type: 'outside' }
  | { readonly type: 'file'; readonly file: FileRead }
  | { readonly type: 'folder'; readonly path: string; readonly names: readonly string[] }

async function placeOf(workspace: Workspace, absolutePath: string): Promise<Found> {
  try {
    const walk = { path: absolutePath, lastLink: 'follow', missingFolders: 'refuse' } as const
    const { path, stats } = await withPlace(workspace, walk, async (place) => place)
    if (stats === null) return { type: 'nothing' }
    if (stats.isDirectory()) return { type: 'folder', path, names: await namesIn(`${workspace.rootPath}/${path}`) }
    const { hash } = await readBytes(workspace, { path, limitBytes: HASHED_BYTES })
    return { type: 'file', file: { path, hash } }
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error
    return { type: error.code === 'outside' ? 'outside' : 'nothing' }
  }
}

/** Names in a folder; none where it is none, or is closed to us. */
async function namesIn(absolutePath: string): Promise<readonly string[]> {
  try {
    return (await readdir(absolutePath)).slice(0, MOST_NAMES)
  } catch (error) {
    if (systemCode(error) !== null) return []
    throw error
  }
}

function absoluteOf(path: string, folder: string): string {
  // A home folder is outside, whoever's it is.
  return path.startsWith('~') ? '/' : resolve(folder, path)
}

function joined(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`
}
