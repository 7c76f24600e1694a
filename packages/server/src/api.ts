import {
  type Clock,
  type EntryStore,
  type ListQuery,
  PAGE_BYTES,
  type Records,
  type SnapshotStore,
} from '@holdfast/conversation'
import type { Engine, LiveBus, Memories } from '@holdfast/engine'
import { type ModelsAnswer, routes } from '@holdfast/protocol'
import { type BindDeps, bindOpenRoute, bindRoute, TAKEN_OVER } from './door/bind-route.ts'
import { PLAIN_EVENTS, startEventStream } from './live/event-stream.ts'
import type { LineLimits } from './live/outlet.ts'
import type { Attachments } from './parts/attachments.ts'
import type { Desks } from './parts/desks.ts'
import type { ErasedIn } from './parts/erasures.ts'
import { rowOf } from './parts/row-of.ts'
import { RefusedError } from './parts/to-problem.ts'
import type { UserCommands } from './parts/user-commands.ts'
import { bindAttachments } from './routes/attachment-routes.ts'
import { bindCanvas } from './routes/canvas-routes.ts'
import { bindCommands } from './routes/command-routes.ts'
import { bindContext } from './routes/context-routes.ts'
import { bindWholeConversations } from './routes/conversation-routes.ts'
import { bindExports } from './routes/export-routes.ts'
import { bindFiles } from './routes/file-routes.ts'
import { bindImports, type ImportRoutesDeps } from './routes/import-routes.ts'
import { bindMemories } from './routes/memory-routes.ts'
import { bindPermissionRules } from './routes/permission-rule-routes.ts'
import { readTranscript } from './routes/read-transcript.ts'
import { bindRecords } from './routes/record-routes.ts'
import { bindWaiting } from './routes/waiting-routes.ts'

/** What the routes need. */
export interface ApiDeps extends BindDeps, Pick<ImportRoutesDeps, 'imports' | 'checkAccepting'> {
  readonly engine: Engine
  readonly bus: LiveBus
  readonly store: Pick<
    EntryStore,
    | 'read'
    | 'readDrafts'
    | 'readListing'
    | 'listConversations'
    | 'readUsage'
    | 'search'
    | 'putBlob'
    | 'readBlob'
    | 'collectBlobs'
    | 'storedBytes'
    | 'readableEntries'
  > &
    SnapshotStore
  readonly records: Records
  readonly memories: Memories
  readonly attachments: Attachments
  readonly desks: Desks
  readonly clock: Clock
  readonly version: string
  /** The providers and models as they are now. */
  readonly models: () => ModelsAnswer
  readonly commands: UserCommands
  readonly limits: LineLimits
  readonly isReady: () => boolean
  /** Has something forgotten with every conversation that is deleted, and every erasure in one. [LOG9] */
  readonly whenErased: (forget: (erased: ErasedIn) => Promise<void>) => void
}

/** Serves every route of the table. */
export function bindApi(deps: ApiDeps): void {
  bindHealth(deps)
  bindModels(deps)
  bindConversations(deps)
  bindCommands(deps)
  bindWaiting(deps)
  bindWholeConversations(deps)
  bindRecords(deps)
  bindPermissionRules(deps)
  bindMemories(deps)
  bindAttachments(deps)
  bindContext(deps)
  bindCanvas(deps)
  bindFiles(deps)
  bindImports(deps)
  bindExports(deps)
  bindLog(deps)
}

function bindHealth({ store, version, isReady, ...deps }: ApiDeps): void {
  async function storeState(): Promise<'ok' | 'failing'> {
    try {
      await store.listConversations({ ownerId: 'local', archived: false, limit: 1 })
      return 'ok'
    } catch {
      return 'failing'
    }
  }

  bindOpenRoute(deps, routes.health, async ({ answer }) =>
    answer(200, { status: 'ok', version, store: await storeState() }),
  )

  bindOpenRoute(deps, routes.ready, async ({ answer }) => {
    if (!isReady()) throw new RefusedError(503, 'not-ready', 'The server is starting or shutting down')
    if ((await storeState()) === 'failing') throw new RefusedError(503, 'not-ready', 'The store cannot be read')
    return answer(200, { status: 'ready', version, store: 'ok' })
  })
}

function bindModels({ models, ...deps }: ApiDeps): void {
  bindRoute(deps, routes.listModels, async ({ answer }) => answer(200, models()))
}

function bindConversations({ store, commands, desks, imports, ...deps }: ApiDeps): void {
  bindRoute(deps, routes.listConversations, async ({ query: { before, limit, archived }, userId, answer }) => {
    const rows = await store.listConversations({
      ownerId: userId,
      archived,
      limit,
      ...(before === undefined ? {} : { before: toListCursor(before) }),
    })
    const last = rows.length === limit ? rows.at(-1) : undefined
    return answer(200, {
      conversations: await Promise.all(
        rows.filter((row) => !imports?.isHidden(row.conversationId)).map((row) => rowOf(desks, row)),
      ),
      next: last ? `${last.updatedAt}_${last.conversationId}` : null,
    })
  })

  bindRoute(deps, routes.readConversation, async ({ params, userId, answer }) =>
    answer(200, await rowOf(desks, await commands.owned(userId, params.id))),
  )
}

function bindLog({ store, bus, engine, clock, limits, ...deps }: ApiDeps): void {
  bindRoute(deps, routes.readEntries, async ({ params, query, request, reply, principal, answer }) => {
    const { after, before, limit, live, drafts } = query
    if (after !== undefined && before !== undefined) {
      throw new RefusedError(400, 'bad-request', 'A page is read after a place or before it, not both')
    }
    if (live === 'sse') {
      const resumed = Number(request.headers['last-event-id'] ?? after ?? 0)
      if (!Number.isSafeInteger(resumed) || resumed < 0) {
        throw new RefusedError(400, 'bad-request', 'Last-Event-ID is the seq of an entry')
      }
      deps.lines.enter(principal, reply.raw)
      const place = { conversationId: params.id, after: resumed, keptOnly: drafts === 'kept' }
      startEventStream({ reply, clock, limits, bus, store, engine, encoder: PLAIN_EVENTS, ...place })
      return TAKEN_OVER
    }
    const page = await store.read({
      conversationId: params.id,
      limit,
      maxBytes: PAGE_BYTES,
      ...(before === undefined ? { after: after ?? 0 } : { before }),
    })
    return answer(200, { entries: page.entries.slice(), head: page.head })
  })

  bindRoute(deps, routes.readTranscript, async ({ params, query, answer }) => {
    const { items, head } = await readTranscript(store, {
      conversationId: params.id,
      before: query.before ?? null,
      limit: query.limit,
    })
    return answer(200, { items: items.slice(), head })
  })
}

/** The cursor of a list page: when the last row changed, and which it is. */
function toListCursor(text: string): NonNullable<ListQuery['before']> {
  const [, updatedAt, conversationId] = /^(\d{1,16})_(.+)$/.exec(text) ?? []
  if (updatedAt === undefined || conversationId === undefined) {
    throw new RefusedError(400, 'bad-request', 'before is the next of an earlier page')
  }
  return { updatedAt: Number(updatedAt), conversationId }
}
