import type { Clock, Records } from '@holdfast/conversation'
import * as z from 'zod'

/** A preview as it is kept. Its id is its name in addresses. */
const StoredPreview = z.object({
  ownerId: z.string(),
  workspaceId: z.string().nullable(),
  /** Of one in a worktree. */
  conversationId: z.string().nullable(),
  /** The real path of the place; null for a port. */
  root: z.string().nullable(),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('command'), line: z.string().nullable() }),
    z.object({ type: z.literal('port'), port: z.int() }),
    z.object({ type: z.literal('folder'), folder: z.string() }),
  ]),
})
export type StoredPreview = z.infer<typeof StoredPreview>

/** What a preview is of. */
export type PreviewSource = StoredPreview['source']

const PREVIEW = { kind: 'preview', schema: StoredPreview } as const
const PAGE = 500

/** The previews of one machine, which those of the same database do not share. */
export interface StoredPreviews {
  all(): Promise<ReadonlyMap<string, StoredPreview>>
  put(id: string, value: StoredPreview): Promise<void>
  remove(id: string): Promise<void>
}

/** Keeps them in the records. */
export function createStoredPreviews({
  records,
  clock,
  machine,
}: {
  readonly records: Records
  readonly clock: Pick<Clock, 'now'>
  readonly machine: string
}): StoredPreviews {
  const shelf = { ownerId: `machine ${machine}` }
  return {
    async all() {
      const found = new Map<string, StoredPreview>()
      for (let afterId: string | undefined; ; ) {
        const after = afterId === undefined ? {} : { afterId }
        const page = await records.list(PREVIEW, { ...shelf, limit: PAGE, ...after })
        for (const { id, value } of page) found.set(id, value)
        afterId = page.at(-1)?.id
        if (page.length < PAGE) return found
      }
    },
    async put(id, value) {
      await records.put(PREVIEW, { ...shelf, id, revision: 0, value, at: clock.now() })
    },
    async remove(id) {
      const found = await records.get(PREVIEW, { ...shelf, id })
      if (found) await records.remove(PREVIEW, { ...shelf, id, revision: found.revision })
    },
  }
}
