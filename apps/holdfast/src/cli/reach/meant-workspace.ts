import { realpathSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { routes, type WorkspaceRow } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from './api.ts'

/**
 * The workspace that a person means by its id, by its name where no other has it, or by its folder. [CLI27]
 *
 * @throws {CliError} when there is none, or more than one has the name.
 */
export async function meantWorkspace(api: Api, wanted: string): Promise<WorkspaceRow> {
  return meantAmong((await api.call(routes.listWorkspaces, {})).workspaces, wanted)
}

/** @throws {CliError} */
export function meantAmong(workspaces: readonly WorkspaceRow[], wanted: string): WorkspaceRow {
  const byId = workspaces.find(({ id }) => id === wanted)
  if (byId) return byId
  const [called, ...others] = workspaces.filter(({ name }) => name === wanted)
  if (called && others.length === 0) return called
  if (called) throw unknown(`${others.length + 1} workspaces are called ${wanted}: give the id or the folder`)
  const folder = realFolder(wanted)
  if (folder === null) throw unknown(`There is no workspace ${wanted}, and no folder ${resolve(wanted)}`)
  const [at] = workspaces.filter(({ root }) => root === folder)
  if (at) return at
  const around = innermost(workspaces, folder)
  const where = around ? `${folder} is a folder of the workspace ${around.name}` : `${folder} is no workspace yet`
  throw unknown(`${where}. Open it as one with: holdfast open ${wanted}`)
}

/**
 * The workspace that the present folder lies in, the innermost of several; where it lies in none, that of the start.
 *
 * @throws {CliError} when there is neither. [CLI28]
 */
export async function workspaceHere(api: Api): Promise<WorkspaceRow> {
  return placeAmong((await api.call(routes.listWorkspaces, {})).workspaces, realpathSync('.'))
}

/** @throws {CliError} */
export function placeAmong(workspaces: readonly WorkspaceRow[], folder: string): WorkspaceRow {
  const here = innermost(workspaces, folder) ?? workspaces.find(({ origin }) => origin === 'start')
  if (here) return here
  throw unknown(`${folder} lies in no workspace. Open it as one with: holdfast open. Or name one with --workspace`)
}

/** The real path of a folder of this computer; null where there is none. */
export function realFolder(path: string): string | null {
  const at = resolve(path)
  return statSync(at, { throwIfNoEntry: false })?.isDirectory() === true ? realpathSync(at) : null
}

function innermost(workspaces: readonly WorkspaceRow[], folder: string): WorkspaceRow | undefined {
  const around = workspaces.filter(({ root }) => folder === root || folder.startsWith(root === sep ? sep : root + sep))
  return around.toSorted((one, other) => other.root.length - one.root.length)[0]
}

function unknown(what: string): CliError {
  return new CliError('E_UNKNOWN_WORKSPACE', 3, `${what}. See which there are: holdfast workspaces`)
}
