import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { Config } from './config.ts'
import { nearestReal } from './places-apart.ts'

/** Names this machine and data folder: servers that share a database have each their own disk. */
export function machineOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return createHash('sha256')
    .update(`${hostname()}\n${nearestReal(dataDir)}`)
    .digest('hex')
    .slice(0, 16)
}
