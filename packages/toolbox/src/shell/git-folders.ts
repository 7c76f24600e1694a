import { basename, dirname, relative } from 'node:path'
import type { Clock } from '@holdfast/conversation'
import { childEnvironment, runProcess } from '@holdfast/tool/process'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { type HeldFolder, holdFolder, statOrNull } from '../workspace/held-folder.ts'

/** What git finds in a folder, at any depth. Paths go from the root, without a slash in front. */
export interface GitFolders {
  /** Folders that git takes for its own: those named `.git`, and every other one of that form. The outer ones first. */
  readonly repositories: readonly string[]
  /** Files and links named `.git`, which lead to one. */
  readonly pointers: readonly string[]
}

/** Looks for what git would find. @throws {FileRefusal} when the folder cannot be looked through. */
export async function findGitFolders(
  rootPath: string,
  { find, clock }: { readonly find: string; readonly clock: Clock },
): Promise<GitFolders> {
  const hits = await namesBelow(rootPath, { find, clock })
  const repositories = new Set<string>()
  const pointers: string[] = []
  for (const path of hits) {
    const stats = await statOrNull(path)
    if (stats === null) continue
    if (basename(path) === '.git') {
      if (stats.isDirectory()) repositories.add(relative(rootPath, path))
      else pointers.push(relative(rootPath, path))
    } else if (await isRepository(dirname(path))) {
      repositories.add(relative(rootPath, dirname(path)))
    }
  }
  return { repositories: [...repositories].sort(), pointers: pointers.sort() }
}

/**
 * Opens a folder below a root without following any link; null when there is none. To be closed by the caller.
 */
export async function holdBelow(rootPath: string, path: string): Promise<HeldFolder | null> {
  let held = await holdFolder(rootPath, { segments: [], holding: 'by-handle' })
  for (const name of path.split('/').filter((segment) => segment !== '')) {
    try {
      const next = await holdFolder(`${held.at}/${name}`, { segments: [...held.segments, name], holding: 'by-handle' })
      await held.handle.close()
      held = next
    } catch (error) {
      await held.handle.close()
      if (error instanceof Error && 'code' in error && GONE.has(error.code)) return null
      throw error
    }
  }
  return held
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'])
const LOOK_MS = 60_000
const MOST_BYTES = 16_777_216

/** Git asks for `HEAD`, and for `objects` and `refs` or for the folder that has them. */
async function isRepository(folder: string): Promise<boolean> {
  const isThere = async (name: string): Promise<boolean> => (await statOrNull(`${folder}/${name}`)) !== null
  return ((await isThere('objects')) && (await isThere('refs'))) || isThere('commondir')
}

/** By a program, for a folder of packages has a hundred thousand names. */
async function namesBelow(
  rootPath: string,
  { find, clock }: { readonly find: string; readonly clock: Clock },
): Promise<readonly string[]> {
  const limit = new AbortController()
  const cancel = clock.after(LOOK_MS, () => limit.abort())
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  try {
    const end = await runProcess({
      program: find,
      args: [rootPath, '(', '-name', '.git', '-o', '-name', 'HEAD', ')', '-print0'],
      folder: '/',
      environment: childEnvironment({}, { LC_ALL: 'C' }),
      signal: limit.signal,
      graceMs: 100,
      outputLimitBytes: 1_000,
      clock,
      onOutput: ({ from, bytes }) => {
        sizeBytes += bytes.byteLength
        if (sizeBytes > MOST_BYTES) limit.abort()
        else if (from === 'stdout') pieces.push(bytes)
      },
    })
    // It ends with 1 where a name went while it looked, or a folder may not be read.
    if (end.ended === 'by-itself' && (end.exitCode === 0 || end.exitCode === 1))
      return Buffer.concat(pieces)
        .toString('utf8')
        .split('\0')
        .filter((path) => path !== '')
    const why = (end.startError ?? end.stderr.text).trim() || `it took longer than ${LOOK_MS} ms`
    const message = `The workspace could not be looked through for folders of git, which commands must not change: ${why}`
    throw new FileRefusal({ code: 'system', path: rootPath, message })
  } finally {
    cancel()
  }
}
