import { allRecords, type Clock, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import * as z from 'zod'
import { WORKTREE_SHELF } from './worktree-record.ts'

/** A file as it stood in a worktree. */
export const KeptFile = z.object({
  /** From the top, its bytes in base64: names need not be UTF-8. */
  path: z.string(),
  type: z.enum(['file', 'link', 'gone']),
  /** Rights of a file, as the system has them. */
  mode: z.int().nonnegative(),
  sizeBytes: z.int().nonnegative(),
  /** SHA-256 of its content, or of where the link leads. Empty for what is gone. */
  hash: z.string(),
})
export type KeptFile = z.infer<typeof KeptFile>

/** All that was not committed in a worktree. */
export const Snapshot = z.object({
  files: z.array(KeptFile),
  /** A commit whose tree is what was staged; null where nothing could be said of it. */
  staged: z.string().nullable(),
  at: z.number(),
})
export type Snapshot = z.infer<typeof Snapshot>

/** Where snapshots are kept: in the records of the store, so that backups have them and nothing collects them. */
export interface SnapshotShelf {
  /** Keeps content by its hash. Durable when it resolves; the same content is kept once. */
  putContent(key: ContentKey, bytes: Uint8Array): Promise<void>
  /** The content, or null where it is not there whole. */
  content(key: ContentKey): Promise<Buffer | null>
  put(worktreeId: string, snapshot: Snapshot): Promise<void>
  get(worktreeId: string): Promise<Snapshot | null>
  /** Forgets a snapshot with its contents. */
  forget(worktreeId: string): Promise<void>
}

/** Names a content of one worktree. */
export interface ContentKey {
  readonly worktreeId: string
  readonly hash: string
}

const SNAPSHOT: RecordKind<Snapshot> = { kind: 'worktree-snapshot', schema: Snapshot }
const PIECE = {
  kind: 'worktree-content',
  schema: z.object({ base64: z.string(), pieces: z.int().positive() }),
} as const
const PIECE_BYTES = 384 * 1_024

/** Keeps snapshots in records. */
export function createSnapshotShelf({
  records,
  clock,
}: {
  readonly records: Records
  readonly clock: Clock
}): SnapshotShelf {
  /** Pieces are owned by their worktree, so that they go with it. */
  const ownerOf = (worktreeId: string): string => `worktree-${worktreeId}`

  return {
    async putContent({ worktreeId, hash }, bytes) {
      const pieces = Math.max(1, Math.ceil(bytes.byteLength / PIECE_BYTES))
      for (let index = 0; index < pieces; index += 1) {
        const part = bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES)
        const value = { base64: Buffer.from(part).toString('base64'), pieces }
        try {
          const id = `${hash}.${index}`
          await records.put(PIECE, { ownerId: ownerOf(worktreeId), id, revision: 0, value, at: clock.now() })
        } catch (error) {
          // The same bytes are there.
          if (!(error instanceof RevisionConflictError)) throw error
        }
      }
    },
    async content({ worktreeId, hash }) {
      const parts: Buffer[] = []
      let pieces = 1
      for (let index = 0; index < pieces; index += 1) {
        const found = await records.get(PIECE, { ownerId: ownerOf(worktreeId), id: `${hash}.${index}` })
        if (!found) return null
        pieces = found.value.pieces
        parts.push(Buffer.from(found.value.base64, 'base64'))
      }
      return Buffer.concat(parts)
    },
    async put(worktreeId, snapshot) {
      const key = { ownerId: WORKTREE_SHELF, id: worktreeId }
      const revision = (await records.get(SNAPSHOT, key))?.revision ?? 0
      await records.put(SNAPSHOT, { ...key, revision, value: snapshot, at: clock.now() })
    },
    async get(worktreeId) {
      return (await records.get(SNAPSHOT, { ownerId: WORKTREE_SHELF, id: worktreeId }))?.value ?? null
    },
    async forget(worktreeId) {
      const ownerId = ownerOf(worktreeId)
      for (const { id, revision } of await allRecords(records, PIECE, ownerId))
        await records.remove(PIECE, { ownerId, id, revision })
      const key = { ownerId: WORKTREE_SHELF, id: worktreeId }
      const found = await records.get(SNAPSHOT, key)
      if (found) await records.remove(SNAPSHOT, { ...key, revision: found.revision })
    },
  }
}
