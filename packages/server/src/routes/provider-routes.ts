import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { ProviderDirectory } from '../parts/provider-directory.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about providers need. */
export interface ProviderRoutesDeps extends BindDeps {
  /** Null where providers are not changed over the API. */
  readonly providers: ProviderDirectory | null
}

/** The longest that a test of a provider takes, in milliseconds. */
const TEST_MS = 60_000

/** Serves the providers: everyone sees which there are, admins change and test them. */
export function bindProviders({ providers, ...deps }: ProviderRoutesDeps): void {
  function directory(): ProviderDirectory {
    if (providers) return providers
    throw new RefusedError(404, 'unknown-provider', 'This server keeps no providers')
  }

  bindRoute(deps, routes.listProviders, async ({ principal, answer }) => {
    const rows = providers?.list() ?? []
    const seen = principal.role === 'admin' ? rows : rows.map((row) => ({ ...row, keyEnding: null, baseUrl: null }))
    return answer(200, { providers: [...seen] })
  })

  bindRoute(deps, routes.lookForProviders, async ({ answer }) => {
    await directory().look()
    return answer(200, { providers: [...directory().list()] })
  })

  bindRoute(deps, routes.addProvider, async ({ body, answer }) => answer(201, await directory().add(body)))

  bindRoute(deps, routes.changeProvider, async ({ params, body, answer }) =>
    answer(200, await directory().change(params.providerId, body)),
  )

  bindRoute(deps, routes.removeProvider, async ({ params, answer }) => {
    await directory().remove(params.providerId)
    return answer(200, { providerId: params.providerId })
  })

  bindRoute(deps, routes.testProvider, async ({ params, answer }) =>
    answer(200, await directory().test(params.providerId, AbortSignal.timeout(TEST_MS))),
  )
}
