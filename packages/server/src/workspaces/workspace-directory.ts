import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Clock, Records, StoredRecord } from '@holdfast/conversation'
import { type Role, type routes, START_WORKSPACE, type WorkspaceRow } from '@holdfast/protocol'
import type * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import { createStoredWorkspaces, type StoredWorkspace } from './stored-workspaces.ts'

/** Workspaces of an installation, at most. */
const MOST = 1_000

/** Who asks. */
export interface WorkspaceAsker {
  readonly userId: string
  readonly role: Role
}

/** What is asked of a change; what is absent stays. */
export type WorkspaceChange = z.infer<(typeof routes)['changeWorkspace']['body']>

/** What a person sees of a folder of the server while choosing one. */
export type FolderListing = z.infer<(typeof routes)['listFolders']['answers'][200]>

/** Looks at folders of the machine for those who may open one. */
export interface FolderChooser {
  /**
   * The real path of a folder that may be opened.
   *
   * @throws {RefusedError} 422 `folder-refused`, for what is not there, is no folder, or belongs to the server.
   */
  check(path: string): Promise<string>
  /** The folders in one; null for where a choice begins. @throws {RefusedError} */
  list(path: string | null): Promise<FolderListing>
  /** What a folder is now. */
  factsOf(root: string): { readonly isThere: boolean; readonly isGit: boolean }
}

/** The workspaces of an installation: who may use which folder. [WS6] */
export interface WorkspaceDirectory {
  rows(asker: WorkspaceAsker): readonly WorkspaceRow[]
  /** @throws {RefusedError} 404 for what is not there and for what is not theirs: nobody can tell the two apart. */
  read(asker: WorkspaceAsker, workspaceId: string): WorkspaceRow
  /** Opens a folder; the one that is there already where this person has opened it before. @throws {RefusedError} */
  open(
    asker: WorkspaceAsker,
    wanted: { readonly root: string; readonly name?: string },
  ): Promise<{ readonly row: WorkspaceRow; readonly isNew: boolean }>
  change(asker: WorkspaceAsker, workspaceId: string, change: WorkspaceChange): Promise<WorkspaceRow>
  /** Forgets it. Nothing in the folder is touched. @throws {RefusedError} */
  close(asker: WorkspaceAsker, workspaceId: string): Promise<void>
  folders(path: string | null): Promise<FolderListing>
  /** The folder that a person may use under this id; of the start's where it is absent. Null for none. [WS6] */
  rootOf(query: { readonly workspaceId: string | undefined; readonly userId: string }): string | null
  /** Whether what its folder says of itself goes to the model. */
  readsInstructions(query: { readonly workspaceId: string | undefined }): boolean
  /** Reads what is stored, which another server of the same store may have changed. */
  refresh(): Promise<void>
}

/** What the directory is made of. */
export interface WorkspaceDirectoryDeps {
  readonly records: Pick<Records, 'list' | 'put' | 'remove'>
  readonly clock: Clock
  readonly chooser: FolderChooser
  /** The folder that the start names, as a real path; null for none. Everyone may use it. */
  readonly startRoot: string | null
  /** Called before a workspace may be used, whoever has opened it: what agents need for files and commands is looked for then. */
  readonly whenUsed: () => Promise<void>
}

/** Keeps workspaces in the records; `refresh` reads them first. */
export function createWorkspaceDirectory(deps: WorkspaceDirectoryDeps): WorkspaceDirectory {
  const { chooser, startRoot, whenUsed } = deps
  const stored = createStoredWorkspaces(deps)

  function startRow(): readonly WorkspaceRow[] {
    if (startRoot === null) return []
    const row: WorkspaceRow = {
      id: START_WORKSPACE,
      version: 0,
      name: nameOf(startRoot),
      root: startRoot,
      access: 'everyone',
      readsInstructions: true,
      ...chooser.factsOf(startRoot),
      origin: 'start',
      canChange: false,
    }
    return [row]
  }

  function rowOf({ id, revision, value }: StoredRecord<StoredWorkspace>, asker: WorkspaceAsker): WorkspaceRow {
    const { ownerId, ...shown } = value
    const origin = ownerId === asker.userId ? 'own' : 'shared'
    return {
      ...shown,
      id,
      version: revision,
      ...chooser.factsOf(value.root),
      origin,
      canChange: mayChange(value, asker),
    }
  }

  function rows(asker: WorkspaceAsker): readonly WorkspaceRow[] {
    const seen = stored.all().filter(({ value }) => mayUse(value, asker.userId) || mayChange(value, asker))
    const named = seen.map((record) => rowOf(record, asker))
    return [...startRow(), ...named.toSorted((one, other) => one.name.localeCompare(other.name))]
  }

  /** @throws {RefusedError} */
  function changeable(asker: WorkspaceAsker, workspaceId: string): StoredRecord<StoredWorkspace> {
    if (workspaceId === START_WORKSPACE && startRoot !== null)
      throw new RefusedError(403, 'forbidden', 'This workspace is named by the start of Holdfast, and changed there')
    const record = stored.get(workspaceId)
    if (!record || !rows(asker).some(({ id }) => id === workspaceId)) throw unknown(workspaceId)
    if (mayChange(record.value, asker)) return record
    throw new RefusedError(403, 'forbidden', `Workspace ${workspaceId} is another person's`)
  }

  async function refresh(): Promise<void> {
    await stored.refresh()
    if (stored.all().length > 0 || startRoot !== null) await whenUsed()
  }

  return {
    rows,
    refresh,
    read(asker, workspaceId) {
      const row = rows(asker).find(({ id }) => id === workspaceId)
      if (row) return row
      throw unknown(workspaceId)
    },
    async open(asker, { root: wanted, name }) {
      const root = await chooser.check(wanted)
      await refresh()
      const before = stored.all().find(({ value }) => value.root === root && value.ownerId === asker.userId)
      if (before) return { row: rowOf(before, asker), isNew: false }
      if (stored.all().length >= MOST)
        throw new RefusedError(
          422,
          'too-large',
          `There are ${stored.all().length} workspaces; close one that is not used first`,
        )
      const value: StoredWorkspace = {
        ownerId: asker.userId,
        root,
        name: name ?? nameOf(root),
        access: 'owner',
        readsInstructions: true,
      }
      await whenUsed()
      return { row: rowOf(await stored.put(idOf(value), 0, value), asker), isNew: true }
    },
    async change(asker, workspaceId, { version, ...changes }) {
      await refresh()
      const { value } = changeable(asker, workspaceId)
      return rowOf(await stored.put(workspaceId, version, { ...value, ...changes }), asker)
    },
    async close(asker, workspaceId) {
      await refresh()
      await stored.remove(changeable(asker, workspaceId))
    },
    folders: (path) => chooser.list(path),
    rootOf({ workspaceId, userId }) {
      if (workspaceId === undefined || workspaceId === START_WORKSPACE) return startRoot
      const value = stored.get(workspaceId)?.value
      return value !== undefined && mayUse(value, userId) ? value.root : null
    },
    readsInstructions: ({ workspaceId }) =>
      workspaceId === undefined || (stored.get(workspaceId)?.value.readsInstructions ?? true),
  }
}

/** A folder that is opened again by the same person is the same workspace: what worked there works there again. */
function idOf({ ownerId, root }: Pick<StoredWorkspace, 'ownerId' | 'root'>): string {
  return `workspace_${createHash('sha256')
    .update(JSON.stringify([ownerId, root]))
    .digest('hex')
    .slice(0, 32)}`
}

function mayUse({ ownerId, access }: StoredWorkspace, userId: string): boolean {
  if (ownerId === userId || access === 'everyone') return true
  return access !== 'owner' && access.includes(userId)
}

/** Whoever opened it, and administrators: they answer for what agents may reach. */
function mayChange({ ownerId }: StoredWorkspace, { userId, role }: WorkspaceAsker): boolean {
  return ownerId === userId || role === 'admin'
}

function nameOf(root: string): string {
  return basename(root) === '' ? root : basename(root)
}

function unknown(workspaceId: string): RefusedError {
  return new RefusedError(404, 'unknown-workspace', `There is no workspace ${workspaceId}, or it is not open to you`)
}
