import type { Route } from '../parts/route.ts'
import { agUiRoutes } from './interop/ag-ui-routes.ts'
import { interopRoutes } from './interop/interop-routes.ts'
import { openAiRoutes } from './interop/openai-routes.ts'
import { streamRoutes } from './interop/stream-routes.ts'
import { ownRoutes } from './own-routes.ts'

/** Every route of the server. What is not here is not served. */
export const routes = {
  ...ownRoutes,
  ...agUiRoutes,
  ...interopRoutes,
  ...openAiRoutes,
  ...streamRoutes,
} as const satisfies Readonly<Record<string, Route>>
