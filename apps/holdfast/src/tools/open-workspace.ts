import { type AllowedWorkspace, createAllowedWorkspace, WorkspaceUnusableError } from '@holdfast/workbench'
import { CliError } from '../cli-error.ts'
import type { Config } from '../config.ts'

/**
 * The folder that agents may use.
 *
 * @throws {CliError} when it is no folder that can be used.
 */
export function openWorkspaceOf({ workspace }: Pick<Config, 'workspace'>): AllowedWorkspace {
  try {
    return createAllowedWorkspace(workspace)
  } catch (error) {
    if (!(error instanceof WorkspaceUnusableError)) throw error
    throw new CliError('E_WORKSPACE', 2, error.message, { cause: error })
  }
}
