import { type AllowedWorkspace, createAllowedWorkspace, WorkspaceUnusableError } from '@holdfast/workbench'
import { CliError } from '../cli-error.ts'
import type { Config } from '../config.ts'
import { nearestReal } from '../places-apart.ts'

/**
 * The folder that agents may use.
 *
 * @throws {CliError} when it is no folder that can be used.
 */
export function openWorkspaceOf({
  workspace,
  dataDir,
  configPath,
}: Pick<Config, 'workspace' | 'dataDir' | 'configPath'>): AllowedWorkspace {
  try {
    return createAllowedWorkspace({ root: workspace, closed: [nearestReal(dataDir), nearestReal(configPath)] })
  } catch (error) {
    if (!(error instanceof WorkspaceUnusableError)) throw error
    throw new CliError('E_WORKSPACE', 2, error.message, { cause: error })
  }
}
