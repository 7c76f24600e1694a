import { type EntryStore, parseSearchQuery, type SnapshotStore } from '@holdfast/conversation'
import { openApiOf, routes, toToolMetricsRow } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Imports } from '../imports/imports.ts'
import type { Desks } from '../parts/desks.ts'
import type { UserCommands } from '../parts/user-commands.ts'
import { bindApiPage } from './api-page.ts'
import { dayInUtc, sumUsage } from './reading/sum-usage.ts'
import { toolMetricsOfUser } from './reading/tool-metrics-of-user.ts'

/** What the routes about a user's records need. */
export interface RecordRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'read' | 'readUsage' | 'readListing' | 'listConversations' | 'search'> &
    SnapshotStore
  readonly desks: Desks
  readonly commands: Pick<UserCommands, 'markRead'>
  readonly version: string
  readonly imports: Pick<Imports, 'isHidden'> | null
}

/** Serves usage, metrics, search, composer text, read marks, and the description of all. */
export function bindRecords(deps: RecordRoutesDeps): void {
  bindFigures(deps)
  bindApiPage(deps)
  bindDesks(deps)
}

function bindFigures({ store, version, imports, ...deps }: RecordRoutesDeps): void {
  // Made of every schema there is: when it is asked for, not at each start.
  let openApi: ReturnType<typeof openApiOf> | null = null

  bindRoute(deps, routes.readUsage, async ({ query: { by, from, to }, userId, answer }) => {
    const agentOf = async (conversationId: string) => (await store.readListing(conversationId))?.agentId ?? ''
    const range = { from: from ?? 0, to: to ?? Number.MAX_SAFE_INTEGER }
    return answer(200, await sumUsage(store, { ownerId: userId, by, ...range, agentOf, dayOf: dayInUtc }))
  })

  bindRoute(deps, routes.readToolMetrics, async ({ userId, answer }) => {
    const metrics = await toolMetricsOfUser(store, userId)
    return answer(200, { tools: metrics.map(toToolMetricsRow) })
  })

  bindRoute(deps, routes.search, async ({ query: { q, limit }, userId, answer }) => {
    const found = await store.search({ ownerId: userId, query: parseSearchQuery(q), limit })
    const hits = found.filter(({ conversationId }) => !imports?.isHidden(conversationId))
    return answer(200, { hits: hits.map((hit) => ({ ...hit, highlights: hit.highlights.slice() })) })
  })

  bindRoute(deps, routes.readOpenApi, async ({ answer }) => {
    openApi ??= openApiOf(version)
    return answer(200, openApi)
  })
}

function bindDesks({ desks, commands, ...deps }: RecordRoutesDeps): void {
  bindRoute(deps, routes.readComposer, async ({ params, userId, answer }) =>
    answer(200, await desks.read({ userId, conversationId: params.id })),
  )

  bindRoute(deps, routes.writeComposer, async ({ params, body, userId, answer }) =>
    answer(200, await desks.write({ userId, conversationId: params.id }, body)),
  )

  bindRoute(deps, routes.appendToComposer, async ({ params, body, userId, answer }) =>
    answer(200, await desks.append({ userId, conversationId: params.id }, body.content)),
  )

  bindRoute(deps, routes.readMark, async ({ params, userId, answer }) =>
    answer(200, { seq: await desks.readMark({ userId, conversationId: params.id }) }),
  )

  bindRoute(deps, routes.markRead, async ({ params, body, userId, answer }) =>
    answer(200, { seq: await commands.markRead(userId, { conversationId: params.id, seq: body.seq }) }),
  )
}
