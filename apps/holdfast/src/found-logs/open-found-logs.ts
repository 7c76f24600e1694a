import { type FoundLogsPort, RefusedError } from '@holdfast/server'
import { findLogs } from './find-logs.ts'
import type { LogPlace } from './log-places.ts'
import { zipOfLogs } from './zip-of-logs.ts'

/** The largest import that one archive holds. A zip archive counts in 32 bits. */
const MOST_BYTES = 4_000_000_000
/** So many of those that may not be read are told by name. */
const MOST_NAMED = 5

/** The logs of other programs at these places. */
export function openFoundLogs(places: readonly LogPlace[], ownerId: number | null): FoundLogsPort {
  return {
    async list() {
      const found = await Promise.all(places.map((place) => findLogs(place, ownerId)))
      return found
        .filter(({ logs, unreadable }) => logs.length + unreadable.length > 0)
        .map(({ place: { id, name, folder }, logs, unreadable, isCut }) => ({
          id,
          name,
          folder,
          logCount: logs.length,
          sizeBytes: logs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
          changedAt: logs[0]?.changedAt ?? 0,
          isCut,
          unreadableCount: unreadable.length,
          unreadable: unreadable.slice(0, MOST_NAMED).map((log) => log.name),
        }))
    },
    async open(id) {
      const place = places.find((one) => one.id === id)
      const logs = place === undefined ? [] : (await findLogs(place, ownerId)).logs
      if (place === undefined || logs.length === 0)
        throw new RefusedError(404, 'not-found', `No conversations of ${place?.name ?? id} are on this disk`)
      const sizeBytes = logs.reduce((sum, log) => sum + log.sizeBytes, 0)
      if (sizeBytes > MOST_BYTES)
        throw new RefusedError(
          413,
          'too-large',
          `${place.folder} holds more than 4 GB. Import it in the terminal: holdfast import --found ${id}`,
        )
      return { name: place.name, format: place.id, content: zipOfLogs(logs) }
    },
  }
}
