import type { Git } from './git.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** A file that differs from the last commit. */
export interface Uncommitted {
  /** From the top, one character for each byte. */
  readonly path: string
  /** `there` is a file or a link, `gone` one that is committed or staged and is not there. */
  readonly type: 'there' | 'gone'
}

/**
 * What `git status` names in a working tree, and what git takes for the same though its line ends are others. Nothing is
 * staged by looking, and what git ignores is not among it. [WS8]
 *
 * @throws {WorktreeRefusal} where another repository is in it that has changes of its own.
 */
export async function findUncommitted(git: Git, folder: string): Promise<readonly Uncommitted[]> {
  const listed = await git.text({
    folder,
    args: ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=none'],
  })
  const found = new Map<string, Uncommitted>()
  for (const line of listed.split('\0')) {
    const one = lineOf(line)
    if (one) found.set(one.path, one)
  }
  const ends = await git.text({ folder, args: ['ls-files', '--eol', '-z'] })
  for (const line of ends.split('\0')) {
    const at = line.indexOf('\t')
    const [index = '', , work = ''] = line.slice(0, at).split(/(\s+)/)
    if (at < 0 || work === 'w/' || index.slice(2) === work.slice(2)) continue
    const path = line.slice(at + 1)
    if (!found.has(path)) found.set(path, { path, type: 'there' })
  }
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Whether `git status` names anything. */
export async function isDirty(git: Git, folder: string): Promise<boolean> {
  const listed = await git.text({ folder, args: ['status', '--porcelain=v2', '-z', '--untracked-files=normal'] })
  return listed !== ''
}

function lineOf(line: string): Uncommitted | null {
  if (line.startsWith('? ')) {
    const path = line.slice(2)
    if (path.endsWith('/')) throw another(path)
    return { path, type: 'there' }
  }
  const fields = FIELDS[line.charAt(0)]
  if (fields === undefined) return null
  const words = line.split(' ')
  const [, state = '', submodule = ''] = words
  const path = words.slice(fields).join(' ')
  if (submodule.startsWith('S') && submodule !== 'S...') throw another(path)
  const workMode = words[line.startsWith('u') ? 6 : 5]
  return { path, type: workMode === '000000' || state.endsWith('D') ? 'gone' : 'there' }
}

/** How many fields stand before the path, in a changed and in an unmerged line. */
const FIELDS: Readonly<Record<string, number>> = { 1: 8, u: 10 }

function another(path: string): WorktreeRefusal {
  const shown = Buffer.from(path, 'latin1').toString('utf8')
  return new WorktreeRefusal(
    'nested',
    `${shown} is a repository of its own with work that is only there: commit and push it, or move it away, then try again.`,
  )
}
