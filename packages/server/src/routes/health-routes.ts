import { type Clock, type EntryStore, StoreReadError, StoreWriteError } from '@holdfast/conversation'
import type { LiveBus } from '@holdfast/engine'
import { type ModelsAnswer, routes } from '@holdfast/protocol'
import { type BindDeps, bindOpenRoute, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What says whether the server can work, and with which models. */
export interface HealthRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'listConversations'>
  readonly bus: Pick<LiveBus, 'subscribeToAll'>
  readonly clock: Pick<Clock, 'after'>
  readonly version: string
  readonly isReady: () => boolean
  /** The providers and models as they are now. */
  readonly models: () => ModelsAnswer
}

/** A store that has not answered for so long cannot be read, in milliseconds: probes of balancers wait for a second. */
const LOOK_MS = 800

/** Serves whether the process lives and is ready, and the models that it has. */
export function bindHealth({ store, bus, clock, version, isReady, models, ...deps }: HealthRoutesDeps): void {
  // Whether the last write that is known of was refused. [LOG8]
  let isRefusing = false
  bus.subscribeToAll(({ type }) => {
    if (type === 'write-failed') isRefusing = true
    if (type === 'entries') isRefusing = false
  })

  let lastSeen: StoreState = 'ok'
  let look: Promise<StoreState> | null = null

  async function readingState(): Promise<StoreState> {
    try {
      await store.listConversations({ ownerId: 'local', archived: false, limit: 1 })
      return 'ok'
    } catch (error) {
      if (!(error instanceof StoreReadError || error instanceof StoreWriteError)) throw error
      return 'failing'
    }
  }

  /** However many ask, one connection looks. */
  async function lookAtStore(): Promise<StoreState> {
    look ??= readingState().finally(() => {
      look = null
    })
    lastSeen = await withinLook(look, clock)
    return lastSeen
  }

  // A server is not restarted because its store is away: this asks nothing of it. [SCALE31]
  bindOpenRoute(deps, routes.health, async ({ answer }) =>
    answer(200, { status: 'ok', version, store: isRefusing ? 'failing' : lastSeen }),
  )

  bindOpenRoute(deps, routes.ready, async ({ answer }) => {
    if (!isReady()) throw new RefusedError(503, 'not-ready', 'The server is starting or shutting down')
    if ((await lookAtStore()) === 'failing') throw new RefusedError(503, 'not-ready', 'The store cannot be read')
    // What is there can be read while nothing can be written: nobody is sent elsewhere for it.
    return answer(200, { status: 'ready', version, store: isRefusing ? 'failing' : 'ok' })
  })

  bindRoute(deps, routes.listModels, async ({ answer }) => answer(200, models()))
}

type StoreState = 'ok' | 'failing'

async function withinLook(look: Promise<StoreState>, clock: Pick<Clock, 'after'>): Promise<StoreState> {
  const limit = Promise.withResolvers<StoreState>()
  const cancel = clock.after(LOOK_MS, () => limit.resolve('failing'))
  try {
    return await Promise.race([look, limit.promise])
  } finally {
    cancel()
  }
}
