import { API_PATH, type Route, routes } from '@holdfast/protocol'

const PROBES: ReadonlySet<string> = new Set([routes.health.path, routes.ready.path])

/**
 * Whether a route is asked by balancers and supervisors, which name no host and ask often. It answers whatever the name
 * and how often, and says nothing that is secret. [SCALE31]
 */
export function isProbe({ path }: Pick<Route, 'path'>): boolean {
  return PROBES.has(path)
}

/** Whether a balancer asks for the address of a route that was found; absent for none. */
export function isProbeUrl(routeUrl: string | undefined): boolean {
  return routeUrl?.startsWith(API_PATH) === true && isProbe({ path: routeUrl.slice(API_PATH.length) })
}
