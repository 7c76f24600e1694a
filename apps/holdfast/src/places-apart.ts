import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CliError } from './cli-error.ts'
import type { Config } from './config.ts'

/**
 * Refuses a workspace that holds the data folder or the operator's file, or lies in the data folder: whoever steers an
 * agent would read the start-up token and write what the next start runs. [SEC10]
 *
 * @throws {CliError} when they are not apart.
 */
export function checkPlacesApart({
  workspace,
  dataDir,
  configPath,
  worktreesDir,
}: Pick<Config, 'workspace' | 'dataDir' | 'configPath' | 'worktreesDir'>): void {
  const [trees, own] = [nearestReal(worktreesDir), nearestReal(dataDir)]
  if (isIn(trees, own)) throw refused(`The folder of worktrees ${worktreesDir} lies in the data folder ${dataDir}`)
  if (isIn(own, trees)) throw refused(`The folder of worktrees ${worktreesDir} holds the data folder ${dataDir}`)
  if (workspace === null) return
  const [folder, data, file] = [nearestReal(workspace), nearestReal(dataDir), nearestReal(configPath)]
  if (isIn(data, folder)) throw refused(`The workspace ${workspace} holds the data folder ${dataDir}`)
  if (isIn(folder, data)) throw refused(`The workspace ${workspace} lies in the data folder ${dataDir}`)
  if (isIn(file, folder)) throw refused(`The workspace ${workspace} holds the configuration ${configPath}`)
}

/** The real path of what is there, and of the nearest that is there for what is to come. */
export function nearestReal(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    if (!isAbsent || dirname(path) === path) throw error
    return join(nearestReal(dirname(path)), basename(path))
  }
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

function refused(what: string): CliError {
  const why = 'agents could read its token and keys, and write what the next start runs'
  const remedy = 'Choose a folder beside it: --workspace, --data-dir, or HOLDFAST_CONFIG'
  return new CliError('E_PLACES_NOT_APART', 2, `${what}: ${why}. ${remedy}.`)
}
