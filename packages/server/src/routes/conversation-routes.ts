import { type EntryStore, type SnapshotStore, toolModeOf } from '@holdfast/conversation'
import { type ConversationTool, type Engine, readOverview } from '@holdfast/engine'
import { routes, toToolMetricsRow } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Diagnostics } from '../parts/diagnostics.ts'
import type { UserCommands } from '../parts/user-commands.ts'
import { readLedger } from './reading/read-ledger.ts'

/** What the routes about a conversation as a whole need. */
export interface ConversationRoutesDeps extends BindDeps {
  readonly commands: Pick<UserCommands, 'carryOut'>
  readonly engine: Pick<Engine, 'listTools' | 'listToolsOfNew'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
  readonly log: Diagnostics
}

/** Serves the ledger and the tools of conversations. */
export function bindWholeConversations({ commands, engine, store, log, ...deps }: ConversationRoutesDeps): void {
  async function toolsOf(conversationId: string) {
    const { settings } = (await readOverview(store, conversationId)).state
    const tools = rowsOf(await engine.listTools(conversationId))
    return { mode: toolModeOf(settings), tools, excludedSources: [...(settings.excludedSources ?? [])] }
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

  bindRoute(deps, routes.readLedger, async ({ params: { id }, query: { before, limit }, answer }) =>
    answer(200, await readLedger({ store, log }, { conversationId: id, before: before ?? null, limit })),
  )

  bindRoute(deps, routes.listTools, async ({ params: { id }, answer }) => answer(200, await toolsOf(id)))

  bindRoute(deps, routes.listToolsOfNew, async ({ query: { modelId, agentId }, userId, answer }) => {
    const asked = { ownerId: userId, modelId: modelId ?? null, agentId: agentId ?? null }
    return answer(200, { mode: toolModeOf({}), tools: rowsOf(await engine.listToolsOfNew(asked)), excludedSources: [] })
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
