import type { Clock, EntryStore, Ids } from '@holdfast/conversation'
import {
  type ChangeReviewer,
  type FileConflict,
  type LoggedChange,
  type PlaceQuery,
  type ReviewQuery,
  storeBlobSink,
} from '@holdfast/engine'
import type { FileChange, ReviewedFile } from '@holdfast/tool'
import {
  decideChanges,
  FileRefusal,
  type FolderWatch,
  type NetChange,
  netChanges,
  type ReadBlob,
  readChanges,
  type Workspace,
} from '@holdfast/toolbox'
import type { KnownFiles } from './known-files.ts'
import type { Places } from './places.ts'
import type { BaseChanges } from './worktrees/base-changes.ts'

/** What stands in a conversation's worktree and not in its base; null where it has none. [WS9] */
export type ReadBase = (
  query: PlaceQuery,
  looking: { readonly workspace: Workspace; readonly signal: AbortSignal },
) => Promise<BaseChanges | null>

/** What reviewing is made of. */
export interface ChangeReviewerDeps {
  readonly store: EntryStore
  readonly clock: Clock
  readonly ids: Ids
  readonly places: Places
  readonly readBase: ReadBase
  /** Hears of what is taken back, for calls of other conversations that run meanwhile. */
  readonly watch: Pick<FolderWatch, 'told' | 'heard'>
  readonly knownFiles: Pick<KnownFiles, 'restored'>
}

/** Shows changes in the folder that a conversation uses now, and takes them back there. [WS1, WS9] */
export function createChangeReviewer(deps: ChangeReviewerDeps): ChangeReviewer {
  const { store, places } = deps

  /** What is reviewed; null where it is compared with a base and there is none. */
  async function sourceOf(query: ReviewQuery): Promise<Source | null> {
    const { ownerId, settings, target, changes, signal } = query
    const folder = places.folderOf({ ownerId, settings })
    const workspace = folder === null ? null : places.workspaceAt(folder)
    if (target.type === 'base') {
      const found = workspace && (await deps.readBase({ ownerId, settings }, { workspace, signal }))
      return found && { ...found, workspace, conflicts: [] }
    }
    const here = changesIn(folder, changes, (then) => places.folderOf({ ownerId, settings: then }))
    const elsewhere = new Set(changes.flatMap((logged) => (here.has(logged) ? [] : [logged.change.path])))
    const reason =
      folder === null
        ? 'The conversation has no folder now; choose its workspace first.'
        : 'It was changed in another folder than the one that the conversation uses now; set that folder first.'
    const reviewed = changes.filter((logged) => here.has(logged) && !elsewhere.has(logged.change.path))
    return {
      workspace,
      base: null,
      changes: netChanges(reviewed.map(({ change }) => change)),
      readBlob: readBlobOf(store, reviewed),
      conflicts: [...elsewhere].map((path): FileConflict => ({ path, reason })),
    }
  }

  return {
    async read(query) {
      const source = await sourceOf(query)
      if (source === null) return null
      const { workspace, base, changes, readBlob, conflicts } = source
      const leftAlone = conflicts.map(notHere)
      if (workspace === null) return { base, files: leftAlone }
      const { marks, signal } = query
      return { base, files: [...leftAlone, ...(await readChanges(workspace, changes, { readBlob, marks, signal }))] }
    },
    async decide(query) {
      const source = await sourceOf(query)
      if (source === null) return null
      const { workspace, changes, readBlob, conflicts } = source
      const elsewhere = new Set(conflicts.map(({ path }) => path))
      const left = conflicts.filter(({ path }) => query.decisions.some((decision) => decision.path === path))
      if (workspace === null) return { changes: [], marks: [], rejected: [], conflicts: left }
      const decisions = query.decisions.filter(({ path }) => !elsewhere.has(path))
      const made: FileChange[] = []
      const ports = {
        blobSink: deps.watch.heard(workspace, storeBlobSink(deps, query)),
        onChanged(changed: readonly FileChange[]) {
          deps.watch.told(workspace, changed)
          made.push(...changed)
        },
      }
      const { marks, meanwhile, signal, onPlanned } = query
      const deciding = { readBlob, marks, ports, call: { signal }, meanwhile, onPlanned }
      const decided = await decideChanges(workspace, { changes, decisions }, deciding)
      await deps.knownFiles.restored({ ownerId: query.ownerId, settings: query.settings, changes: made })
      return {
        changes: made,
        marks: decided.marks,
        rejected: decided.rejected,
        conflicts: [...left, ...decided.conflicts],
      }
    },
  }
}

interface Source {
  readonly workspace: Workspace | null
  readonly base: string | null
  readonly changes: readonly NetChange[]
  readonly readBlob: ReadBlob
  /** What cannot be reviewed here. */
  readonly conflicts: readonly FileConflict[]
}

function notHere({ path, reason }: FileConflict): ReviewedFile {
  const nothing = { additions: 0, deletions: 0, hunks: [], act: 'nothing', isKept: false } as const
  return { path, id: `elsewhere ${path}`.slice(0, 200), status: 'changed', conflict: reason, ...nothing }
}

/** Those that were made in a folder. Many changes have the same settings, and each folder is looked for on the disk. */
function changesIn(
  folder: string | null,
  changes: readonly LoggedChange[],
  folderOf: (settings: LoggedChange['settings']) => string | null,
): ReadonlySet<LoggedChange> {
  if (folder === null) return new Set()
  const isThere = new Map(
    [...new Set(changes.map(({ settings }) => settings))].map((then) => [then, folderOf(then) === folder]),
  )
  return new Set(changes.filter(({ settings }) => isThere.get(settings)))
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
