import { blobsOf, type Entry, type EntryStore, type SnapshotStore } from '@holdfast/conversation'
import { type ConversationTool, type Engine, type Memories, readOverview, savedIn } from '@holdfast/engine'
import { routes, toToolMetricsRow } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { UserCommands } from '../parts/user-commands.ts'
import { readLedger } from './read-ledger.ts'

/** What the routes about a conversation as a whole need. */
export interface ConversationRoutesDeps extends BindDeps {
  readonly commands: UserCommands
  readonly engine: Pick<Engine, 'listTools' | 'listToolsOfNew' | 'previewErasure'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
  readonly memories: Pick<Memories, 'list'>
}

/** What is kept of a deleted conversation. [LOG9] */
const KEPT = 'Its usage records are kept, without content.'

/** What no erasure reaches. [LOG9] */
const BACKUPS =
  'Backups that were made before hold it still: delete them, or make new ones. Copies that were exported, forked or shown elsewhere are not reached either.'

/** Serves paths, places, titles, deletion, ledger and tools of conversations. */
export function bindWholeConversations({ commands, engine, store, memories, ...deps }: ConversationRoutesDeps): void {
  async function toolsOf(conversationId: string) {
    const { toolMode, excludedSources } = (await readOverview(store, conversationId)).state.settings
    const tools = rowsOf(await engine.listTools(conversationId))
    return { mode: toolMode ?? ('cached' as const), tools, excludedSources: [...(excludedSources ?? [])] }
  }

  function rowsOf(listed: readonly ConversationTool[]) {
    return listed.map(({ definition, included, schemaTokens, permission, metrics }) => ({
      name: definition.name,
      description: definition.description,
      parameters: definition.parameters,
      ...(definition.source === undefined ? {} : { source: definition.source }),
      ...(definition.category === undefined ? {} : { category: definition.category }),
      included,
      deferred: definition.deferred === true,
      schemaTokens,
      permission: { effect: permission.effect, source: permission.source, reason: permission.reason },
      metrics: metrics && toToolMetricsRow(metrics),
    }))
  }

  async function memoriesOf(userId: string, conversationId: string): Promise<string[]> {
    return savedIn(await memories.list(userId), conversationId).map(({ memoryId }) => memoryId)
  }

  bindRoute(deps, routes.deleteConversation, async ({ params: { id }, userId, answer }) => {
    await commands.remove(userId, id)
    const memoryIds = await memoriesOf(userId, id)
    return answer(200, { conversationId: id, kept: KEPT, backups: BACKUPS, memoryIds })
  })

  bindRoute(deps, routes.eraseEntries, async ({ params: { id }, body, userId, answer }) => {
    const { seqs: named, results: withResults, dryRun, reason } = body
    const words = { conversationId: id, seqs: named, withResults }
    // What is there says what will be: once it is erased, its files are named no more.
    const erased = await engine.previewErasure(words)
    const stones = dryRun ? erased : await commands.erase(userId, { ...words, reason })
    return answer(200, {
      conversationId: id,
      seqs: stones.map(({ seq }) => seq),
      kinds: kindsOf(erased),
      fileCount: new Set(erased.flatMap(blobsOf).map(({ hash }) => hash)).size,
      isErased: !dryRun,
      backups: BACKUPS,
      memoryIds: await memoriesOf(userId, id),
    })
  })

  bindRoute(deps, routes.readLedger, async ({ params: { id }, query: { before, limit }, answer }) =>
    answer(200, await readLedger(store, { conversationId: id, before: before ?? null, limit })),
  )

  bindRoute(deps, routes.listTools, async ({ params: { id }, answer }) => answer(200, await toolsOf(id)))

  bindRoute(deps, routes.listToolsOfNew, async ({ query: { modelId, agentId }, userId, answer }) => {
    const asked = { ownerId: userId, modelId: modelId ?? null, agentId: agentId ?? null }
    return answer(200, { mode: 'cached', tools: rowsOf(await engine.listToolsOfNew(asked)), excludedSources: [] })
  })

  bindRoute(deps, routes.chooseTools, async ({ params: { id }, body, principal, answer }) => {
    const { commandId, mode, included, excludedSources } = body
    const settings = {
      toolMode: mode,
      ...(included === undefined ? {} : { includedTools: included }),
      ...(excludedSources === undefined ? {} : { excludedSources }),
    }
    await commands.carryOut(principal, {
      type: 'command',
      name: 'change-settings',
      conversationId: id,
      commandId,
      settings,
    })
    return answer(200, await toolsOf(id))
  })
}

/** How many entries of each kind there are. */
function kindsOf(entries: readonly Entry[]): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const { type } of entries) kinds[type] = (kinds[type] ?? 0) + 1
  return kinds
}
