import { type Clock, type Records, RevisionConflictError, type StoredRecord } from '@holdfast/conversation'
import * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'

/** A workspace as it is kept. */
const StoredWorkspace = z.object({
  ownerId: z.string().min(1),
  /** The real path of the folder. */
  root: z.string().min(1),
  name: z.string(),
  access: z.union([z.literal('owner'), z.literal('everyone'), z.array(z.string())]),
  readsInstructions: z.boolean(),
})
export type StoredWorkspace = z.infer<typeof StoredWorkspace>

const WORKSPACE = { kind: 'workspace', schema: StoredWorkspace } as const

/** All stand together: who may use one is asked of the workspace. */
const SHELF = 'installation'
const PAGE = 500

/** The workspaces of the records, as they were read last. */
export interface StoredWorkspaces {
  all(): readonly StoredRecord<StoredWorkspace>[]
  get(id: string): StoredRecord<StoredWorkspace> | undefined
  /** `revision`: the one that was read; 0 for a new one. @throws {RefusedError} 409 where another has written since. */
  put(id: string, revision: number, value: StoredWorkspace): Promise<StoredRecord<StoredWorkspace>>
  /** @throws {RefusedError} 409 where another has written since. */
  remove(record: StoredRecord<StoredWorkspace>): Promise<void>
  refresh(): Promise<void>
}

/** Keeps them in memory beside the records; `refresh` reads them first. */
export function createStoredWorkspaces({
  records,
  clock,
}: {
  readonly records: Pick<Records, 'list' | 'put' | 'remove'>
  readonly clock: Clock
}): StoredWorkspaces {
  let stored: ReadonlyMap<string, StoredRecord<StoredWorkspace>> = new Map()

  return {
    all: () => [...stored.values()],
    get: (id) => stored.get(id),
    async put(id, revision, value) {
      const change = { ownerId: SHELF, id, revision, value, at: clock.now() }
      const record = await unlessConflict(id, revision, () => records.put(WORKSPACE, change))
      stored = new Map([...stored, [id, record]])
      return record
    },
    async remove({ id, revision }) {
      await unlessConflict(id, revision, () => records.remove(WORKSPACE, { ownerId: SHELF, id, revision }))
      stored = new Map([...stored].filter(([known]) => known !== id))
    },
    async refresh() {
      const found = new Map<string, StoredRecord<StoredWorkspace>>()
      for (let afterId: string | undefined; ; ) {
        const after = afterId === undefined ? {} : { afterId }
        const page = await records.list(WORKSPACE, { ownerId: SHELF, limit: PAGE, ...after })
        for (const record of page) found.set(record.id, record)
        afterId = page.at(-1)?.id
        if (page.length < PAGE) break
      }
      stored = found
    },
  }
}

async function unlessConflict<Result>(id: string, version: number, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof RevisionConflictError)) throw error
    const detail = `Workspace ${id} is at version ${error.currentRevision}, not ${version}; read it again`
    throw new RefusedError(409, 'conflict', detail)
  }
}
