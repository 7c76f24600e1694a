import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type FolderPlace, type Folders, RefusedError, type WorkspaceDirectory } from '@holdfast/server'

const MOST_FILES = 10_000
const LOOKED_AT_ONCE = 32
/** What programs write by themselves. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Tells states of folders in workspaces apart. Links are not followed. [SCHED23] */
export function createFolderPrints({ rootOf }: Pick<WorkspaceDirectory, 'rootOf'>): Folders {
  async function folderOf({ userId, workspaceId, path }: FolderPlace): Promise<string | null> {
    const root = rootOf({ userId, workspaceId })
    if (root === null) throw new RefusedError(422, 'bad-schedule', 'There is no workspace whose folder could change')
    const folder = await realPathOf(join(root, path))
    const way = folder === null ? '' : relative(await realpath(root), folder)
    if (way === '..' || way.startsWith(`..${sep}`))
      throw new RefusedError(422, 'bad-schedule', `"${path}" lies outside of the workspace`)
    return folder
  }

  return {
    async look(place) {
      const folder = await folderOf(place)
      const files = folder === null ? null : await filesIn(folder)
      if (folder === null || files === null) return null
      const hash = createHash('sha256')
      for (let from = 0; from < files.length; from += LOOKED_AT_ONCE) {
        const some = files.slice(from, from + LOOKED_AT_ONCE)
        for (const line of await Promise.all(some.map(lineOf))) hash.update(line)
      }
      return hash.digest('hex').slice(0, 32)
    },
  }
}

async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (error) {
    return whereGone(error, null)
  }
}

/** All files below a folder in an order of their own; null where it is no folder. @throws {RefusedError} for too many. */
async function filesIn(folder: string): Promise<readonly string[] | null> {
  const files: string[] = []
  const folders = [folder]
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    const inside = await entriesOf(at)
    if (inside === null && at === folder) return null
    for (const entry of inside ?? []) {
      if (PASSED_OVER.has(entry.name)) continue
      const path = join(at, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else files.push(path)
    }
    if (files.length + folders.length > MOST_FILES)
      throw new RefusedError(422, 'bad-schedule', `The folder has more than ${MOST_FILES} files; choose a smaller one`)
  }
  return files.sort()
}

async function entriesOf(folder: string): Promise<readonly Dirent[] | null> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    return whereGone(error, null)
  }
}

async function lineOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await lstat(path)
    return `${path}\0${size}\0${mtimeMs}\0${ino}\n`
  } catch (error) {
    return whereGone(error, `${path}\0gone\n`)
  }
}

/** What is removed while it is looked at, or may not be read, is not there. */
function whereGone<Value>(error: unknown, value: Value): Value {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EPERM') return value
  throw error
}
