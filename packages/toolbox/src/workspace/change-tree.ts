import { rename, rmdir, unlink } from 'node:fs/promises'
import type { FileChange } from '@holdfast/tool'
import { CHANGEABLE_BYTES, madeFolders, RIGHTS } from './change-file.ts'
import { type FileBytes, readAt } from './file-bytes.ts'
import { type Changing, keepBytes } from './file-change.ts'
import { FileRefusal } from './file-refusal.ts'
import { type HeldFolder, statOrNull } from './held-folder.ts'
import { moveToNewName } from './new-name.ts'
import { entriesOf } from './walk-files.ts'
import { absentInWords, changed, enter, type MadeFolder, type Place, refuseGitsOwn, withPlace } from './walk-path.ts'
import type { Workspace } from './workspace.ts'

/** Files of a folder that can be moved or deleted in one call: all of them are kept, so that it can be undone. */
export const TREE_LIMITS = { fileCount: 1_000, sizeBytes: 64 << 20 } as const

/**
 * Deletes a file, or a folder with all that is in it, after everything was kept. Links and special files cannot
 * be brought back from a blob: where there is one, nothing is deleted. [WS1]
 *
 * @throws {FileRefusal} when nothing was deleted.
 */
export function deleteTree(workspace: Workspace, path: string, changing: Changing): Promise<readonly FileChange[]> {
  return workspace.inTurn(
    () =>
      withPlace(workspace, { path, lastLink: 'keep', missingFolders: 'refuse' }, async (place) => {
        const { files } = await keepAll(workspace, { place, changing })
        const { name, folder } = place
        changing.call.signal.throwIfAborted()
        const deleted: FileChange[] = []
        try {
          if (place.stats?.isDirectory()) await removeFolder(workspace, { folder, name, files, deleted })
          else for (const file of files) await removeFile(workspace, { folder, name, file, deleted })
        } finally {
          if (deleted.length > 0) changing.ports.onChanged(deleted)
        }
        return deleted
      }),
    changing.call.signal,
  )
}

/**
 * Moves a file or a folder within the workspace; never onto something that is there.
 *
 * @throws {FileRefusal} when nothing was moved.
 */
export function moveTree(
  workspace: Workspace,
  { from, to }: { readonly from: string; readonly to: string },
  changing: Changing,
): Promise<readonly FileChange[]> {
  return workspace.inTurn(
    () =>
      withPlace(workspace, { path: from, lastLink: 'keep', missingFolders: 'refuse' }, async (source) => {
        const { files, folders } = await keepAll(workspace, { place: source, changing })
        return withPlace(workspace, { path: to, lastLink: 'keep', missingFolders: 'make' }, async (target) => {
          refuseGitsOwn(target.segments)
          const refuse = (code: 'exists' | 'bad-name', message: string) => new FileRefusal({ code, path: to, message })
          if (target.stats !== null || target.name === null)
            throw refuse('exists', `${target.path} is there already. Choose another name, or delete it first.`)
          if (source.segments.every((segment, index) => target.segments[index] === segment))
            throw refuse('bad-name', `${source.path} cannot be moved into itself.`)
          changing.call.signal.throwIfAborted()
          const names = { source: `${source.folder.at}/${source.name}`, target: `${target.folder.at}/${target.name}` }
          if (source.stats?.isDirectory()) await rename(names.source, names.target)
          else await moveToNewName(names.source, names.target)
          const there = (path: string) => `${target.path}${path.slice(source.path.length)}`
          const changes: readonly FileChange[] = [
            ...files.map(
              ({ path, blob, mode }) => ({ path, kind: 'deleted', before: blob, modeBefore: mode }) as const,
            ),
            ...folders.toReversed().map((moved) => folderChange('deleted', moved)),
            ...madeFolders(target),
            ...folders.map(({ path, mode }) => folderChange('created', { path: there(path), mode })),
            ...files.map(
              ({ path, blob, mode }) => ({ path: there(path), kind: 'created', after: blob, modeAfter: mode }) as const,
            ),
          ]
          changing.ports.onChanged(changes)
          return changes
        })
      }),
    changing.call.signal,
  )
}

interface KeptFile {
  readonly path: string
  readonly hash: string
  readonly blob: Awaited<ReturnType<typeof keepBytes>>
  readonly mode: number
}

interface KeptTree {
  readonly files: readonly KeptFile[]
  /** The outermost first. */
  readonly folders: readonly MadeFolder[]
}

function folderChange(kind: 'created' | 'deleted', { path, mode }: MadeFolder): FileChange {
  return { path, kind, entity: 'folder', ...(kind === 'created' ? { modeAfter: mode } : { modeBefore: mode }) }
}

/** Keeps all files at and below a place. @throws {FileRefusal} when something there could not be brought back. */
async function keepAll(
  workspace: Workspace,
  { place, changing }: { readonly place: Place; readonly changing: Changing },
): Promise<KeptTree> {
  const { path, folder, name, stats, given } = place
  refuseGitsOwn(place.segments)
  const refuse = (code: 'not-found' | 'protected', message: string) => new FileRefusal({ code, path: given, message })
  if (name === null) throw refuse('protected', 'The folder of the workspace itself stays where it is.')
  if (stats === null) throw refuse('not-found', await absentInWords(given, { folder, name }))
  if (stats.isSymbolicLink())
    throw refuse('protected', `${path} is a link, which could not be brought back. Use the shell.`)
  const kept: KeptFile[] = []
  const folders: MadeFolder[] = []
  let leftBytes: number = TREE_LIMITS.sizeBytes
  const keep = async (file: FileBytes) => {
    leftBytes -= file.bytes.byteLength
    if (kept.length >= TREE_LIMITS.fileCount || leftBytes < 0)
      throw new FileRefusal({ code: 'too-large', path: given, message: tooMuch(path) })
    const blob = await keepBytes(file.bytes, { ...changing.ports, ...changing.call })
    kept.push({ path: file.path, hash: file.hash, blob, mode: file.mode & RIGHTS })
  }
  if (stats.isDirectory())
    await inFolder(workspace, { folder, name }, (inner) => keepFolder(workspace, inner, { keep, folders }))
  else await keep(await readAt(workspace, { place, limitBytes: CHANGEABLE_BYTES }))
  return { files: kept, folders }
}

interface Keeping {
  readonly keep: (file: FileBytes) => Promise<void>
  /** Filled with the folders on the way. */
  readonly folders: MadeFolder[]
}

async function keepFolder(workspace: Workspace, folder: HeldFolder, keeping: Keeping): Promise<void> {
  const { mode } = await folder.handle.stat()
  keeping.folders.push({ path: folder.segments.join('/'), mode: mode & RIGHTS })
  for (const { name, type } of await entriesOf(folder, TREE_LIMITS.fileCount + 1)) {
    const segments = [...folder.segments, name]
    const path = segments.join('/')
    refuseGitsOwn(segments)
    switch (type) {
      case 'folder':
        await inFolder(workspace, { folder, name }, (inner) => keepFolder(workspace, inner, keeping))
        break
      case 'file': {
        const stats = await statOrNull(`${folder.at}/${name}`)
        const place: Place = { given: path, path, segments, folder, name, stats, made: [] }
        await keeping.keep(await readAt(workspace, { place, limitBytes: CHANGEABLE_BYTES }))
        break
      }
      case 'link':
      case 'other': {
        const message = `${path} is a link or a special file, which could not be brought back. Use the shell.`
        throw new FileRefusal({ code: 'protected', path, message })
      }
    }
  }
}

async function inFolder<Value>(
  workspace: Workspace,
  { folder, name }: { readonly folder: HeldFolder; readonly name: string },
  use: (inner: HeldFolder) => Promise<Value>,
): Promise<Value> {
  const inner = await enter(workspace, { folder, name })
  try {
    return await use(inner)
  } finally {
    await inner.handle.close()
  }
}

interface Removal {
  readonly folder: HeldFolder
  readonly name: string | null
  readonly deleted: FileChange[]
}

/** Removes what was kept, and then the folder; what came in meanwhile makes the system refuse that. */
async function removeFolder(
  workspace: Workspace,
  { folder, name, files, deleted }: Removal & { readonly files: readonly KeptFile[] },
): Promise<void> {
  let mode = 0
  await inFolder(workspace, { folder, name: name ?? '' }, async (inner) => {
    mode = (await inner.handle.stat()).mode & RIGHTS
    const depth = inner.segments.length
    for (const entry of await entriesOf(inner, TREE_LIMITS.fileCount + 1)) {
      const own = files.filter(({ path }) => path.split('/')[depth] === entry.name)
      if (entry.type === 'folder') {
        await removeFolder(workspace, { folder: inner, name: entry.name, files: own, deleted })
      } else {
        for (const file of own) await removeFile(workspace, { folder: inner, name: entry.name, file, deleted })
      }
    }
  })
  await rmdir(`${folder.at}/${name}`)
  deleted.push(folderChange('deleted', { path: [...folder.segments, name].join('/'), mode }))
}

async function removeFile(
  workspace: Workspace,
  { folder, name, file, deleted }: Removal & { readonly file: KeptFile },
): Promise<void> {
  const segments = file.path.split('/')
  const stats = await statOrNull(`${folder.at}/${name}`)
  const place: Place = { given: file.path, path: file.path, segments, folder, name, stats, made: [] }
  const now = await readAt(workspace, { place, limitBytes: CHANGEABLE_BYTES })
  if (now.hash !== file.hash) throw changed(file.path)
  await unlink(`${folder.at}/${name}`)
  deleted.push({ path: file.path, kind: 'deleted', before: file.blob, modeBefore: file.mode })
}

function tooMuch(path: string): string {
  return `${path} holds more than ${TREE_LIMITS.fileCount} files or ${TREE_LIMITS.sizeBytes} bytes, too much to be undone. Use the shell.`
}
