import { join } from 'node:path'
import type { FoundLogsPort } from '@holdfast/server'
import type { Config } from '../config.ts'
import { freeBytesOf } from '../free-bytes.ts'
import { openFoundLogs } from './open-found-logs.ts'

/** What imports of the server work with: where files wait, how much room is left, and what other programs have left here. */
export function importParts({ ownDir, dataDir, logPlaces }: Pick<Config, 'ownDir' | 'dataDir' | 'logPlaces'>): {
  readonly importsFolder: string
  readonly freeBytes: () => Promise<number>
  readonly foundLogs: FoundLogsPort
} {
  return {
    importsFolder: join(ownDir, 'imports'),
    freeBytes: () => freeBytesOf(dataDir),
    foundLogs: openFoundLogs(logPlaces, process.getuid?.() ?? null),
  }
}
