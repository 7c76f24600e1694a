import { systemClock } from '@holdfast/engine/system'
import type { ServerDeps } from '@holdfast/server'
import { isPublicHost, openMedia, ownAddresses, resolveBySystem } from '@holdfast/toolbox'

/** How long a name may take to be resolved, in milliseconds. */
const RESOLVE_MS = 10_000

/** Whether all addresses of a host are of the public internet and none is this machine's, as the page tool checks them. */
export function isOnPublicInternet(url: URL): Promise<boolean> {
  return isPublicHost(url, {
    resolveName: resolveBySystem,
    permittedRanges: [],
    ownAddresses,
    signal: AbortSignal.timeout(RESOLVE_MS),
  })
}

/** Opens a picture, sound or film of the public internet, as the page tool opens a page. [CANVAS8] */
export const openPublicMedia: NonNullable<ServerDeps['openMedia']> = (wish) =>
  openMedia(wish, { resolveName: resolveBySystem, permittedRanges: [], ownAddresses, clock: systemClock })
