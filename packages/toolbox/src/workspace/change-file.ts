import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, unlink } from 'node:fs/promises'
import type { FileChange } from '@holdfast/tool'
import { type FileBytes, hashOf, readAt } from './file-bytes.ts'
import { type Changing, keepBytes } from './file-change.ts'
import { FileRefusal, systemCode } from './file-refusal.ts'
import { isStillThere } from './held-folder.ts'
import { moveToNewName } from './new-name.ts'
import { changed, type Place, refuseGitsOwn, withPlace } from './walk-path.ts'
import type { Workspace } from './workspace.ts'
import type { Letters } from './workspace-path.ts'

/** Bytes of a file that can be changed: before and after are kept, and a diff is made of them. */
export const CHANGEABLE_BYTES = 16 << 20

/** The rights of a file, without the bits that change who runs it. */
export const RIGHTS = 0o777

/** A change of one file, decided from what stands there. */
export interface FileEdit {
  readonly path: string
  /** `plain` where it is not given. */
  readonly letters?: Letters
  /** What is to stand there: bytes, or null for no file. Throws to refuse. Given null where there is no file. */
  readonly decide: (current: FileBytes | null) => Uint8Array | null | Promise<Uint8Array | null>
}

/** What became of an edit. */
export interface EditedFile {
  readonly path: string
  /** Null when what was to stand there stood there already. */
  readonly change: FileChange | null
  /** Hash of what stands there now, or null. */
  readonly hash: string | null
}

/**
 * Changes one file: decided from its bytes, kept before and after, put in place by one rename that nobody can
 * see half of, and only then reported. A file that changed meanwhile is left as it is. [WS1]
 *
 * Between the last look and the rename another program may still write the file: no system that this runs on
 * compares and replaces in one step. A file that is created never takes the place of one that appeared.
 *
 * @throws {FileRefusal} when nothing was changed.
 */
export function changeFile(workspace: Workspace, edit: FileEdit, { ports, call }: Changing): Promise<EditedFile> {
  const { path, letters } = edit
  const walk = { path, lastLink: 'follow', missingFolders: 'make', letters: letters ?? 'plain' } as const
  return workspace.inTurn(
    () =>
      withPlace(workspace, walk, async (place) => {
        refuseGitsOwn(place.segments)
        const current =
          place.stats === null && place.name !== null
            ? null
            : await readAt(workspace, { place, limitBytes: CHANGEABLE_BYTES })
        const next = await edit.decide(current)
        if (next !== null && next.byteLength > CHANGEABLE_BYTES)
          throw new FileRefusal({
            code: 'too-large',
            path: edit.path,
            message: `The new content has ${next.byteLength} bytes; ${CHANGEABLE_BYTES} are allowed. Write it in parts, or by the shell.`,
          })
        const hash = next === null ? null : hashOf(next)
        if (hash === (current?.hash ?? null)) return { path: place.path, change: null, hash }
        const before = current === null ? null : await keepBytes(current.bytes, { ...ports, ...call })
        const after = next === null ? null : await keepBytes(next, { ...ports, ...call })
        call.signal.throwIfAborted()
        let modeAfter: number | null = null
        if (next === null) await removeAt(workspace, { place, current })
        else modeAfter = await putAt(workspace, { place, current, next, mode: current?.mode ?? null })
        const change: FileChange = {
          path: place.path,
          kind: current === null ? 'created' : next === null ? 'deleted' : 'changed',
          ...(before === null ? {} : { before }),
          ...(after === null ? {} : { after }),
          ...(current === null ? {} : { modeBefore: current.mode & RIGHTS }),
          ...(modeAfter === null ? {} : { modeAfter }),
        }
        ports.onChanged([...madeFolders(place), change])
        return { path: place.path, change, hash }
      }),
    call.signal,
  )
}

/** The folders that were made on the way to a place, as changes. */
export function madeFolders({ made }: Pick<Place, 'made'>): readonly FileChange[] {
  return made.map(({ path, mode }) => ({ path, kind: 'created', entity: 'folder', modeAfter: mode }))
}

/** What stands in a place, and what is to. */
export interface FilePut {
  readonly place: Place
  /** Null for no file: then one that appears meanwhile stays. */
  readonly current: FileBytes | null
  readonly next: Uint8Array
  /** The rights that it gets; null for those of a new file. */
  readonly mode: number | null
}

/** Puts a file in place by one rename or link. @returns its rights. @throws {FileRefusal} when it is not what it was. */
export async function putAt(workspace: Workspace, { place, current, next, mode }: FilePut): Promise<number> {
  const { folder, name } = place
  const target = `${folder.at}/${name}`
  // Beside the target, because a rename is whole only on one disk; unguessable, because others may write there too.
  const temporary = `${folder.at}/.holdfast-${randomUUID()}.tmp`
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, mode === null ? 0o666 : 0o600)
  let isPlaced = false
  let modeAfter: number
  try {
    try {
      await handle.writeFile(next)
      if (mode !== null) await handle.chmod(mode & RIGHTS)
      modeAfter = (await handle.stat()).mode & RIGHTS
      await handle.datasync()
    } finally {
      await handle.close()
    }
    if (!(await isStillThere(folder))) throw changed(place.path)
    if (current === null) await putNew(temporary, { target, place })
    else {
      await checkUnchanged(workspace, { place, current })
      await rename(temporary, target)
    }
    isPlaced = true
    return modeAfter
  } finally {
    if (!isPlaced) await unlink(temporary)
  }
}

/** Gives a file its name, which a file that appeared meanwhile keeps. */
async function putNew(
  temporary: string,
  { target, place }: { readonly target: string; readonly place: Place },
): Promise<void> {
  try {
    await moveToNewName(temporary, target)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw changed(place.path)
    throw error
  }
}

/** Removes the file in a place. @throws {FileRefusal} when it is not what it was. */
export async function removeAt(
  workspace: Workspace,
  { place, current }: { readonly place: Place; readonly current: FileBytes | null },
): Promise<void> {
  if (current === null) return
  await checkUnchanged(workspace, { place, current })
  await unlink(`${place.folder.at}/${place.name}`)
}

async function checkUnchanged(
  workspace: Workspace,
  { place, current }: { readonly place: Place; readonly current: FileBytes },
): Promise<void> {
  const now = await readAt(workspace, { place, limitBytes: CHANGEABLE_BYTES })
  if (now.hash !== current.hash) throw changed(place.path)
}
