import { existsSync, statSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { type FolderChooser, RefusedError } from '@holdfast/server'

/** What may be opened. */
export interface FolderChooserOptions {
  /** Absolute paths: what lies in one of them may be opened, and itself. */
  readonly roots: readonly string[]
  /** Real paths of what belongs to the server: the data folder, the operator's file. [SEC10] */
  readonly closed: readonly string[]
  /** The operator's file, in which more may be allowed. */
  readonly configPath: string
}

/** More folders of one place than this are not listed. */
const MOST_LISTED = 2_000

/** Lets those who may open a workspace look through the folders of this machine, and no further than the operator allows. [WS6, SEC32] */
export function createFolderChooser({ roots: given, closed, configPath }: FolderChooserOptions): FolderChooser {
  /** Real paths, asked for anew: a disk may be mounted later. */
  async function realRoots(): Promise<readonly string[]> {
    const real = await Promise.all(given.map((root) => realpath(root).catch(() => null)))
    return [...new Set(real.filter((root) => root !== null))]
  }

  /** @throws {RefusedError} */
  async function within(path: string): Promise<string> {
    if (!path.startsWith('/')) throw refused(`${path} is no absolute path`)
    const real = await realpath(path).catch((error: unknown) => {
      throw refused(`${path} cannot be opened: ${whyNot(error)}`)
    })
    const roots = await realRoots()
    if (roots.some((root) => isIn(real, root))) return real
    const allowed = roots.length === 0 ? 'none' : roots.join(', ')
    throw refused(
      `${path} lies outside of what may be opened (${allowed}). To open it, name its folder in workspaceRoots of ${configPath} and start Holdfast anew, or start it with --workspace ${path}`,
    )
  }

  /** Why a folder may not be a workspace; null where it may. */
  function refusalOf(real: string): string | null {
    for (const own of closed) {
      if (isIn(own, real)) return `${real} holds ${own}, which belongs to Holdfast: agents could read its keys`
      if (isIn(real, own)) return `${real} lies in ${own}, which belongs to Holdfast`
    }
    return null
  }

  return {
    async check(path) {
      const real = await within(path)
      if (!(await stat(real)).isDirectory()) throw refused(`${path} is no folder`)
      const refusal = refusalOf(real)
      if (refusal !== null) throw refused(refusal)
      return real
    },
    async list(path) {
      const roots = await realRoots()
      const first = roots[0]
      if (path === null && first === undefined)
        throw refused(`No folder may be opened here: workspaceRoots of ${configPath} names none that is there`)
      const real = path === null ? (first ?? '') : await within(path)
      const found = await readdir(real, { withFileTypes: true }).catch((error: unknown) => {
        throw refused(`${real} cannot be read: ${whyNot(error)}`)
      })
      const shown = found.filter(
        (entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()),
      )
      const sorted = shown.map(({ name }) => name).toSorted((one, other) => one.localeCompare(other))
      const folders = sorted.slice(0, MOST_LISTED).flatMap((name) => {
        const at = join(real, name)
        return isFolder(at) && !closed.includes(at) ? [{ name, path: at, isGit: existsSync(join(at, '.git')) }] : []
      })
      const parent = dirname(real)
      return {
        path: real,
        parent: roots.some((root) => isIn(parent, root)) && parent !== real ? parent : null,
        folders,
        isCut: sorted.length > MOST_LISTED,
        refusal: refusalOf(real),
      }
    },
    factsOf: (root) => ({ isThere: isFolder(root), isGit: existsSync(join(root, '.git')) }),
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`)
}

function refused(detail: string): RefusedError {
  return new RefusedError(422, 'folder-refused', detail)
}

function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return 'there is no such folder'
  if (code === 'EACCES' || code === 'EPERM') return 'Holdfast may not read it'
  return error instanceof Error ? error.message : String(error)
}
