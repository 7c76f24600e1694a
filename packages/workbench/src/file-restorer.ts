import type { Clock, EntryStore, Ids } from '@holdfast/conversation'
import {
  type FileConflict,
  type FileRestorer,
  type LoggedChange,
  type RestoreQuery,
  storeBlobSink,
} from '@holdfast/engine'
import type { FileChange } from '@holdfast/tool'
import { FileRefusal, type FolderWatch, planRestore, type ReadBlob, restoreChanges } from '@holdfast/toolbox'
import type { KnownFiles } from './known-files.ts'
import type { Places } from './places.ts'

/** What restoring is made of. */
export interface FileRestorerDeps {
  readonly store: EntryStore
  readonly clock: Clock
  readonly ids: Ids
  readonly places: Places
  /** Hears of what is brought back, for calls of other conversations that run meanwhile. */
  readonly watch: Pick<FolderWatch, 'told' | 'heard'>
  readonly knownFiles: Pick<KnownFiles, 'restored'>
}

/** Restores files in the folder that a conversation uses now. [WS1] */
export function createFileRestorer(deps: FileRestorerDeps): FileRestorer {
  const { store, places } = deps

  /** Which changes were made where files would be restored; the others would be looked for in the wrong folder. */
  function sorted({ ownerId, settings, changes }: RestoreQuery) {
    const folder = places.folderOf({ ownerId, settings })
    const folderThen = (logged: LoggedChange) => places.folderOf({ ownerId, settings: logged.settings })
    const isHere = (logged: LoggedChange) => folder !== null && folderThen(logged) === folder
    const elsewhere = new Set(changes.flatMap((logged) => (isHere(logged) ? [] : [logged.change.path])))
    const reason =
      folder === null
        ? 'The conversation has no folder now; choose its workspace first.'
        : 'It was changed in another folder than the one that the conversation uses now; set that folder first.'
    const conflicts = [...elsewhere].map((path): FileConflict => ({ path, reason }))
    const here = changes.filter((logged) => isHere(logged) && !elsewhere.has(logged.change.path))
    return { workspace: folder === null ? null : places.workspaceAt(folder), here, conflicts }
  }

  return {
    async plan(query) {
      const { workspace, here, conflicts } = sorted(query)
      const leftAlone = conflicts.map(
        ({ path, reason }) => ({ path, act: 'nothing', diff: '', conflict: reason }) as const,
      )
      if (workspace === null) return leftAlone
      const changes = here.map(({ change }) => change)
      const ports = { readBlob: readBlobOf(store, here), signal: query.signal }
      return [...leftAlone, ...(await planRestore(workspace, changes, ports))]
    },
    async restore(query) {
      const { workspace, here, conflicts } = sorted(query)
      if (workspace === null) return { changes: [], conflicts }
      const made: FileChange[] = []
      const ports = {
        blobSink: deps.watch.heard(workspace, storeBlobSink(deps, query)),
        onChanged(changes: readonly FileChange[]) {
          deps.watch.told(workspace, changes)
          made.push(...changes)
        },
      }
      const changes = here.map(({ change }) => change)
      const call = { signal: query.signal }
      const restoring = { readBlob: readBlobOf(store, here), ports, call, meanwhile: query.meanwhile }
      const restored = await restoreChanges(workspace, changes, restoring)
      await deps.knownFiles.restored({ ownerId: query.ownerId, settings: query.settings, changes: made })
      return { changes: made, conflicts: [...conflicts, ...restored.conflicts] }
    },
  }
}

/** Bodies are reached by the log that names them. [LOG11] */
function readBlobOf(store: Pick<EntryStore, 'readBlob'>, changes: readonly LoggedChange[]): ReadBlob {
  const owners = new Map<string, string>()
  for (const { conversationId, change } of changes)
    for (const blob of [change.before, change.after]) if (blob) owners.set(blob.hash, conversationId)
  return async ({ hash }) => {
    const conversationId = owners.get(hash)
    const stored = conversationId === undefined ? null : await store.readBlob({ conversationId, hash })
    if (stored === null)
      throw new FileRefusal({
        code: 'not-found',
        path: hash,
        message: 'What stood there is not in the store any more.',
      })
    const pieces: Uint8Array[] = []
    for await (const piece of stored.content) pieces.push(piece)
    return Buffer.concat(pieces)
  }
}
