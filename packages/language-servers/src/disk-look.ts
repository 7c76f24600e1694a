import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { endingOf, type Language } from './languages.ts'

/** Files of a folder that came, changed or went since the last look. */
export interface DiskChanges {
  /** Paths from the root. Empty for a folder that is too large to be looked through: then nothing is known. */
  readonly paths: ReadonlyMap<string, 'created' | 'changed' | 'deleted'>
  /** Whether packages were installed or removed. */
  readonly arePackagesOther: boolean
}

/** Looks through a folder, again and again. */
export interface DiskLook {
  /** What is other than at the last look; nothing at the first. */
  look(): Promise<DiskChanges>
}

/** Packages and what programs make: no server is told of each of their files. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__', 'target'])
/** What package managers write when they have installed something. */
const INSTALLED = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml']
/** Endings of what settings of languages stand in. */
const SETTINGS: ReadonlySet<string> = new Set(['json', 'toml', 'mod', 'cfg'])
const MOST_FILES = 20_000
const AT_ONCE = 64

/**
 * Looks for files of a language and for settings by their identity, size and dates: what commands, people and other programs
 * wrote is seen without a watch of the system, which would tell it late. Links are not followed. [WS31]
 */
export function createDiskLook(rootPath: string, language: Language): DiskLook {
  let known: ReadonlyMap<string, string> | null = null
  let installed: string | null = null

  return {
    async look() {
      const stamps = await stampsOf(rootPath, language)
      const isInstalled = await installedAt(rootPath)
      const arePackagesOther = installed !== null && installed !== isInstalled
      installed = isInstalled
      const before = known
      known = stamps
      const paths = new Map<string, 'created' | 'changed' | 'deleted'>()
      if (before === null || stamps === null) return { paths, arePackagesOther }
      for (const [path, stamp] of stamps) {
        const old = before.get(path)
        if (old === undefined) paths.set(path, 'created')
        else if (old !== stamp) paths.set(path, 'changed')
      }
      for (const path of before.keys()) if (!stamps.has(path)) paths.set(path, 'deleted')
      return { paths, arePackagesOther }
    },
  }
}

/** Null for a folder with too many files. */
async function stampsOf(rootPath: string, { ids }: Language): Promise<ReadonlyMap<string, string> | null> {
  const stamps = new Map<string, string>()
  const folders = ['']
  let names: string[] = []
  const stampAll = async () => {
    const found = await Promise.all(names.map(async (path) => [path, await stampAt(join(rootPath, path))] as const))
    for (const [path, stamp] of found) if (stamp !== null) stamps.set(path, stamp)
    names = []
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(join(rootPath, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const ending = endingOf(entry.name)
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) folders.push(path)
      else if (entry.isFile() && (Object.hasOwn(ids, ending) || SETTINGS.has(ending))) names.push(path)
      if (names.length >= AT_ONCE) await stampAll()
      if (stamps.size > MOST_FILES || folders.length > MOST_FILES) return null
    }
  }
  await stampAll()
  return stamps
}

async function installedAt(rootPath: string): Promise<string> {
  const stamps = await Promise.all(INSTALLED.map((name) => stampAt(join(rootPath, 'node_modules', name))))
  return stamps.join(' ')
}

async function entriesOf(folder: string) {
  return (await orNull(() => readdir(folder, { withFileTypes: true }))) ?? []
}

async function stampAt(path: string): Promise<string | null> {
  const stats = await orNull(() => lstat(path, { bigint: true }))
  return stats?.isFile() ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : null
}

/** Null for what went while it was looked at, or may not be read. */
async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
