import { routes, type WorktreeRow } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { withApi } from '../reach/with-api.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What a command about worktrees was told. */
export interface WorktreeOptions {
  readonly dataDir?: string
  readonly json: boolean
}

/** Prints the worktrees of conversations, the newest first. @returns the exit code. [CLI16] */
export function listWorktrees({ json, ...options }: WorktreeOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const { worktrees } = await api.call(routes.listWorktrees, {})
    for (const row of worktrees) process.stdout.write(`${json ? JSON.stringify(row) : lineOf(row)}\n`)
    if (worktrees.length === 0 && !json) process.stderr.write('There are no worktrees.\n')
    return 0
  })
}

/** Removes one; what is not committed in it is kept. @returns the exit code. [CLI16] */
export function removeWorktree(name: string, { json, ...options }: WorktreeOptions): Promise<number> {
  return withApi(options, async (api) => {
    const params = { worktreeId: await idOf(api, name) }
    const row = await api.call(routes.removeWorktree, { params })
    return said(row, { json, words: `Removed. Bring it back with: holdfast worktrees restore ${row.id}` })
  })
}

/** Removes those that hold nothing of their own and in which nothing runs. @returns the exit code. [WS41] */
export function clearWorktrees({ json, ...options }: WorktreeOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const { worktrees } = await api.call(routes.listWorktrees, {})
    const spent = worktrees.filter(({ state, now }) => state === 'ready' && now?.hasOwnWork === false)
    for (const { id, branch } of spent) {
      try {
        const row = await api.call(routes.removeWorktree, { params: { worktreeId: id } })
        said(row, {
          json,
          words: `${plainText(branch)} was removed; bring it back with: holdfast worktrees restore ${id}`,
        })
      } catch (error) {
        if (!(error instanceof CliError && error.code === 'E_RUN_ACTIVE')) throw error
        process.stderr.write(`${plainText(branch)} stays: a reply runs in it.\n`)
      }
    }
    if (spent.length === 0 && !json) process.stderr.write('Every worktree holds something of its own.\n')
    return 0
  })
}

/** Brings a removed one back. @returns the exit code. [CLI16] */
export function restoreWorktree(name: string, { json, ...options }: WorktreeOptions): Promise<number> {
  return withApi(options, async (api) => {
    const params = { worktreeId: await idOf(api, name) }
    const row = await api.call(routes.restoreWorktree, { params })
    return said(row, { json, words: `It is in ${plainText(row.folder)} again.` })
  })
}

function said(row: WorktreeRow, { json, words }: { readonly json: boolean; readonly words: string }): number {
  process.stdout.write(`${json ? JSON.stringify(row) : words}\n`)
  return 0
}

/** The id of the worktree that a person means by its id, a beginning of it, or its branch. @throws {CliError} */
async function idOf(api: Api, name: string): Promise<string> {
  const { worktrees } = await api.call(routes.listWorktrees, {})
  const meant = worktrees.filter(({ id, branch }) => id === name || branch === name || id.startsWith(name))
  const [one] = meant
  if (one && meant.length === 1) return one.id
  const what = one ? `${meant.length} worktrees begin with ${name}` : `There is no worktree ${name}`
  throw new CliError('E_UNKNOWN_WORKTREE', 3, `${what}. See which there are: holdfast worktrees list`)
}

function lineOf({ id, state, branch, now, folder, problem, removedBy }: WorktreeRow): string {
  const stands = now
    ? [
        `${Math.ceil(now.sizeBytes / 1e6)} MB`,
        `+${now.ahead} -${now.behind}`,
        now.isDirty ? 'not all committed' : '',
        now.hasOwnWork ? '' : 'nothing of its own',
      ]
    : [problem ?? removedBy ?? '']
  return [id, state, branch, ...stands, folder]
    .filter((word) => word !== '')
    .map(plainText)
    .join('  ')
}
