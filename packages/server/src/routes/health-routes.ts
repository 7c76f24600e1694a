import { type EntryStore, StoreReadError, StoreWriteError } from '@holdfast/conversation'
import type { LiveBus } from '@holdfast/engine'
import { type ModelsAnswer, routes } from '@holdfast/protocol'
import { type BindDeps, bindOpenRoute, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What says whether the server can work, and with which models. */
export interface HealthRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'listConversations'>
  readonly bus: Pick<LiveBus, 'subscribeToAll'>
  readonly version: string
  readonly isReady: () => boolean
  /** The providers and models as they are now. */
  readonly models: () => ModelsAnswer
}

/** Serves whether the process lives and is ready, and the models that it has. */
export function bindHealth({ store, bus, version, isReady, models, ...deps }: HealthRoutesDeps): void {
  // Whether the last write that is known of was refused. [LOG8]
  let isRefusing = false
  bus.subscribeToAll(({ type }) => {
    if (type === 'write-failed') isRefusing = true
    if (type === 'entries') isRefusing = false
  })

  async function readingState(): Promise<'ok' | 'failing'> {
    try {
      await store.listConversations({ ownerId: 'local', archived: false, limit: 1 })
      return 'ok'
    } catch (error) {
      if (!(error instanceof StoreReadError || error instanceof StoreWriteError)) throw error
      return 'failing'
    }
  }

  bindOpenRoute(deps, routes.health, async ({ answer }) =>
    answer(200, { status: 'ok', version, store: isRefusing ? 'failing' : await readingState() }),
  )

  bindOpenRoute(deps, routes.ready, async ({ answer }) => {
    if (!isReady()) throw new RefusedError(503, 'not-ready', 'The server is starting or shutting down')
    if ((await readingState()) === 'failing') throw new RefusedError(503, 'not-ready', 'The store cannot be read')
    return answer(200, { status: 'ready', version, store: 'ok' })
  })

  bindRoute(deps, routes.listModels, async ({ answer }) => answer(200, models()))
}
