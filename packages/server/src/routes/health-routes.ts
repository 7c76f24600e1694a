import { type EntryStore, StoreReadError, StoreWriteError } from '@holdfast/conversation'
import { type ModelsAnswer, routes } from '@holdfast/protocol'
import { type BindDeps, bindOpenRoute, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What says whether the server can work, and with which models. */
export interface HealthRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'listConversations'>
  readonly version: string
  readonly isReady: () => boolean
  /** The providers and models as they are now. */
  readonly models: () => ModelsAnswer
}

/** Serves whether the process lives and is ready, and the models that it has. */
export function bindHealth({ store, version, isReady, models, ...deps }: HealthRoutesDeps): void {
  async function storeState(): Promise<'ok' | 'failing'> {
    try {
      await store.listConversations({ ownerId: 'local', archived: false, limit: 1 })
      return 'ok'
    } catch (error) {
      if (!(error instanceof StoreReadError || error instanceof StoreWriteError)) throw error
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

  bindRoute(deps, routes.listModels, async ({ answer }) => answer(200, models()))
}
