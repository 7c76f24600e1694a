import type { Git } from './worktrees/git.ts'
import { WorktreeRefusal } from './worktrees/worktree-refusal.ts'

/** How a file stands against the last commit. */
export interface GitMark {
  /** From the folder; with `/` at its end for a folder in which everything is new. */
  readonly path: string
  readonly mark: 'new' | 'changed' | 'deleted' | 'conflict'
}

/** What git says of a folder. */
export interface GitMarks {
  /** Null where git does not keep it, or did not say. */
  readonly branch: string | null
  readonly marks: readonly GitMark[]
  /** Whether there are more. */
  readonly isCut: boolean
}

const MOST_MARKS = 20_000
const NOTHING: GitMarks = { branch: null, marks: [], isCut: false }

/** Asks git what differs from the last commit in a folder. Nothing of the repository's own settings is run. [WS16, WS8] */
export async function readGitMarks(git: Git, folder: string): Promise<GitMarks> {
  try {
    const asked = ['--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--no-renames']
    const [place, status] = await Promise.all([
      git.run({ folder, args: ['rev-parse', '--show-prefix'] }),
      git.run({ folder, args: ['status', ...asked, '--ignore-submodules=all', '--', '.'] }),
    ])
    if (place.exitCode !== 0 || status.exitCode !== 0) return NOTHING
    return marksOf(status.stdout, place.stdout.replace(/\n$/, ''))
  } catch (error) {
    // Git did not answer in time, or is not to be started: the tree is shown without marks.
    if (error instanceof WorktreeRefusal) return NOTHING
    throw error
  }
}

function marksOf(status: string, prefix: string): GitMarks {
  const lines = status.split('\0')
  const head = lines.find((line) => line.startsWith(HEAD))?.slice(HEAD.length)
  const marks = lines.flatMap((line) => markOf(line, prefix) ?? [])
  return {
    branch: head === undefined ? null : Buffer.from(head, 'latin1').toString('utf8'),
    marks: marks.slice(0, MOST_MARKS),
    isCut: marks.length > MOST_MARKS,
  }
}

const HEAD = '# branch.head '

function markOf(line: string, prefix: string): GitMark | null {
  const type = line.charAt(0)
  const words = line.split(' ')
  if (type === '?') return at(line.slice(2), prefix, 'new')
  if (type === 'u') return at(words.slice(10).join(' '), prefix, 'conflict')
  if (type !== '1') return null
  const [staged = '.', work = '.'] = words[1] ?? ''
  const path = words.slice(8).join(' ')
  if (work === 'D' || (staged === 'D' && work === '.')) return at(path, prefix, 'deleted')
  return at(path, prefix, staged === 'A' ? 'new' : 'changed')
}

function at(path: string, prefix: string, mark: GitMark['mark']): GitMark | null {
  if (!path.startsWith(prefix)) return null
  return { path: Buffer.from(path.slice(prefix.length), 'latin1').toString('utf8'), mark }
}
