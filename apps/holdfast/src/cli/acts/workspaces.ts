import { routes, type WorkspaceRow } from '@holdfast/protocol'
import { withApi } from '../reach/with-api.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What `holdfast workspaces` was asked for. */
export interface WorkspacesOptions {
  readonly dataDir?: string
  readonly json: boolean
}

/** Prints the workspaces that the person may use. @returns the exit code. [CLI27] */
export function listWorkspaces({ json, ...options }: WorkspacesOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    const { workspaces } = await api.call(routes.listWorkspaces, {})
    for (const row of workspaces) process.stdout.write(`${json ? JSON.stringify(row) : lineOf(row)}\n`)
    if (workspaces.length === 0 && !json)
      process.stderr.write('There are no workspaces. Open a folder as one with: holdfast open FOLDER\n')
    return 0
  })
}

const ORIGINS = { start: 'of the start', own: 'own', shared: 'shared' } as const

function lineOf({ id, name, origin, isThere, isGit, root }: WorkspaceRow): string {
  const state = [isThere ? '' : 'folder is gone', ORIGINS[origin], isGit ? 'git' : ''].filter((word) => word !== '')
  return [id, name, state.join(', '), root].map((word) => plainText(word.replaceAll(/\s+/g, ' '))).join('  ')
}
