import { blobsOf, type Entry } from '@holdfast/conversation'
import { type Engine, type Memories, savedIn } from '@holdfast/engine'
import type { Desks } from './desks.ts'
import type { Handlers } from './handlers.ts'
import type { ListChanges } from './list-changes.ts'

/** What deletions and erasures need. */
export interface ErasuresDeps {
  readonly engine: Pick<Engine, 'previewErasure' | 'eraseEntries' | 'deleteConversation'>
  readonly memories: Pick<Memories, 'list'>
  readonly listChanges: Pick<ListChanges, 'changed' | 'removed'>
  readonly desks: Pick<Desks, 'clear'>
  /** Forgets what is known of a conversation beside its log, when it or words of it are gone. */
  readonly onErased: (erased: ErasedIn) => Promise<void>
}

/** Where something was erased, or what was deleted. */
export interface ErasedIn {
  readonly userId: string
  readonly conversationId: string
}

/** What is kept of a deleted conversation. [LOG9] */
const KEPT = 'Its usage records are kept, without content.'

/** What no erasure reaches. [LOG9] */
const BACKUPS =
  'Backups that were made before hold it still: delete them, or make new ones. Copies that were exported, forked or shown elsewhere are not reached either.'

/** How a conversation is deleted and words of it are erased, with what is said of the rest. [LOG9, SYNC4] */
export function createErasures(deps: ErasuresDeps): Pick<Handlers, 'delete-conversation' | 'erase-entries'> {
  const { engine, memories, listChanges, desks, onErased } = deps

  async function memoriesOf(userId: string, conversationId: string): Promise<string[]> {
    return savedIn(await memories.list(userId), conversationId).map(({ memoryId }) => memoryId)
  }

  return {
    async 'delete-conversation'({ conversationId }, { userId }) {
      await engine.deleteConversation(conversationId)
      listChanges.removed(userId, conversationId)
      await desks.clear({ userId, conversationId })
      await onErased({ userId, conversationId })
      const memoryIds = await memoriesOf(userId, conversationId)
      return { reply: async () => ({ status: 200, body: { conversationId, kept: KEPT, backups: BACKUPS, memoryIds } }) }
    },
    async 'erase-entries'({ conversationId, seqs: named, results: withResults, dryRun, reason }, { userId, actor }) {
      const words = { conversationId, seqs: named, withResults }
      // What is there says what will be: once it is erased, its files are named no more.
      const erased = await engine.previewErasure(words)
      const stones = dryRun ? erased : await engine.eraseEntries({ ...words, reason, actor })
      if (!dryRun) {
        listChanges.changed(conversationId)
        await onErased({ userId, conversationId })
      }
      const body = {
        conversationId,
        seqs: stones.map(({ seq }) => seq),
        kinds: kindsOf(erased),
        fileCount: new Set(erased.flatMap(blobsOf).map(({ hash }) => hash)).size,
        isErased: !dryRun,
        backups: BACKUPS,
        memoryIds: await memoriesOf(userId, conversationId),
      }
      return { reply: async () => ({ status: 200, body }) }
    },
  }
}

/** How many entries of each kind there are. */
function kindsOf(entries: readonly Entry[]): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const { type } of entries) kinds[type] = (kinds[type] ?? 0) + 1
  return kinds
}
