import { mkdir, readlink, rmdir, symlink, unlink } from 'node:fs/promises'
import { CHANGEABLE_BYTES, putAt, RIGHTS, removeAt } from './change-file.ts'
import { type FileBytes, hashOf, readAt } from './file-bytes.ts'
import { FileRefusal, systemCode } from './file-refusal.ts'
import { isStillThere } from './held-folder.ts'
import { changed, enter, type Place } from './walk-path.ts'
import type { Workspace } from './workspace.ts'

/** What stands in a place. */
export type Standing =
  | { readonly type: 'file'; readonly file: FileBytes }
  | { readonly type: 'link'; readonly target: string; readonly hash: string }
  | { readonly type: 'folder'; readonly mode: number }

/** What is to stand in a place. */
export type Wanted =
  | { readonly type: 'file'; readonly bytes: Uint8Array; readonly mode: number | null }
  | { readonly type: 'link'; readonly target: string }
  | { readonly type: 'folder'; readonly mode: number | null }

/** Looks at a place without following a link; null for nothing. @throws {FileRefusal} for a file that is left alone. */
export async function standingAt(workspace: Workspace, place: Place): Promise<Standing | null> {
  const { stats, name, folder } = place
  if (stats === null) return null
  if (stats.isDirectory()) return { type: 'folder', mode: stats.mode & RIGHTS }
  if (!stats.isSymbolicLink())
    return { type: 'file', file: await readAt(workspace, { place, limitBytes: CHANGEABLE_BYTES }) }
  const target = await readlink(`${folder.at}/${name}`)
  return { type: 'link', target, hash: hashOf(Buffer.from(target)) }
}

/** Two things in one place, one after the other. */
export interface Exchange {
  readonly place: Place
  readonly current: Standing | null
  readonly wanted: Wanted | null
}

/**
 * Puts something else in a place, if there still stands what stood there. A folder goes only when it is empty.
 *
 * @returns the rights of a file or folder that stands there now.
 * @throws {FileRefusal} when nothing was changed.
 */
export async function exchangeAt(workspace: Workspace, { place, current, wanted }: Exchange): Promise<number | null> {
  if (current?.type === 'folder' && wanted?.type === 'folder') return setRights(workspace, place, wanted.mode)
  if (wanted?.type === 'file' && (current === null || current.type === 'file'))
    return putAt(workspace, { place, current: current?.file ?? null, next: wanted.bytes, mode: wanted.mode })
  if (!(await isStillThere(place.folder))) throw changed(place.path)
  await removeStanding(workspace, { place, current })
  switch (wanted?.type) {
    case undefined:
      return null
    case 'file':
      return putAt(workspace, { place, current: null, next: wanted.bytes, mode: wanted.mode })
    case 'link':
      await symlink(wanted.target, `${place.folder.at}/${place.name}`)
      return null
    case 'folder':
      await mkdir(`${place.folder.at}/${place.name}`)
      return setRights(workspace, place, wanted.mode)
  }
}

async function removeStanding(
  workspace: Workspace,
  { place, current }: Pick<Exchange, 'place' | 'current'>,
): Promise<void> {
  const at = `${place.folder.at}/${place.name}`
  switch (current?.type) {
    case undefined:
      return
    case 'file':
      return removeAt(workspace, { place, current: current.file })
    case 'link':
      if ((await readlink(at)) !== current.target) throw changed(place.path)
      return unlink(at)
    case 'folder':
      return removeEmpty(at, place.path)
  }
}

async function removeEmpty(at: string, path: string): Promise<void> {
  try {
    await rmdir(at)
  } catch (error) {
    if (systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'EEXIST') throw error
    const message = `The folder ${path} stays: something is in it that these changes did not make.`
    throw new FileRefusal({ code: 'conflict', path, message, cause: error })
  }
}

async function setRights(workspace: Workspace, place: Place, mode: number | null): Promise<number> {
  const inner = await enter(workspace, { folder: place.folder, name: place.name ?? '.' })
  try {
    if (mode !== null) await inner.handle.chmod(mode & RIGHTS)
    return (await inner.handle.stat()).mode & RIGHTS
  } finally {
    await inner.handle.close()
  }
}
