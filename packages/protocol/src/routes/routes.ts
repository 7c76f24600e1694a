import type { Route } from '../parts/route.ts'
import { agUiRoutes } from './ag-ui-routes.ts'
import { interopRoutes } from './interop-routes.ts'
import { openAiRoutes } from './openai-routes.ts'
import { ownRoutes } from './own-routes.ts'
import { streamRoutes } from './stream-routes.ts'

/** Every route of the server. What is not here is not served. */
export const routes = {
  ...ownRoutes,
  ...agUiRoutes,
  ...interopRoutes,
  ...openAiRoutes,
  ...streamRoutes,
} as const satisfies Readonly<Record<string, Route>>
