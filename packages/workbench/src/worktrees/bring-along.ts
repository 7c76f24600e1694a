import { constants } from 'node:fs'
import { cp, mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Git } from './git.ts'
import { isIn, utf8 } from './repository.ts'

/** What is wanted of the files that git ignores. */
export interface BringWish {
  readonly top: string
  readonly folder: string
  /** Names, such as `.env` and `node_modules`, wherever they lie, and paths from the top. */
  readonly names: readonly string[]
}

/**
 * Copies ignored files and folders of the wanted names into a worktree: as clones of their blocks where the disk can,
 * which share nothing that is written, else as copies. Links come as links. [WS7]
 *
 * @returns the paths that came, from the top.
 */
export async function bringAlong(git: Git, { top, folder, names }: BringWish): Promise<readonly string[]> {
  if (names.length === 0) return []
  const listed = await git.text({
    folder: top,
    args: ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '--no-empty-directory', '-z'],
  })
  const wanted = new Set(names.map((name) => name.replace(/\/$/, '')))
  const came: string[] = []
  for (const bytes of listed.split('\0')) {
    if (bytes === '') continue
    const path = utf8(bytes).replace(/\/$/, '')
    if (!wanted.has(path) && !wanted.has(basename(path))) continue
    const to = join(folder, path)
    await mkdir(dirname(to), { recursive: true })
    // A committed link may stand where the person has a folder: it is not followed out of the worktree.
    if (!isIn(await realpath(dirname(to)), folder)) continue
    await cp(join(top, path), to, {
      recursive: true,
      force: false,
      errorOnExist: false,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    })
    came.push(path)
  }
  return came
}
