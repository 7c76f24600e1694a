import { realpathSync } from 'node:fs'
import { openWorkspace } from '@holdfast/toolbox'
import { CliError } from '../cli-error.ts'
import type { Config } from '../config.ts'
import { nearestReal } from '../places-apart.ts'

/** Real paths of what belongs to the server, which tools for files leave alone. [SEC14] */
export function closedPlacesOf({ dataDir, configPath }: Pick<Config, 'dataDir' | 'configPath'>): readonly string[] {
  return [nearestReal(dataDir), nearestReal(configPath)]
}

/**
 * The real path of the folder that the start names; null for none.
 *
 * @throws {CliError} when it is no folder that can be used.
 */
export function startRootOf(config: Pick<Config, 'workspace' | 'dataDir' | 'configPath'>): string | null {
  const { workspace } = config
  if (workspace === null) return null
  try {
    return openWorkspace({ root: realpathSync(workspace), closed: closedPlacesOf(config) }).rootPath
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    const why = 'code' in cause && cause.code === 'ENOENT' ? 'there is no such folder' : cause.message
    const words = `The workspace ${workspace} cannot be used: ${why}. Give a folder that exists.`
    throw new CliError('E_WORKSPACE', 2, words, { cause })
  }
}
