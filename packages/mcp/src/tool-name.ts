import { createHash } from 'node:crypto'

/** What every provider takes as the name of a tool. */
const MOST_CHARS = 64
const REFUSED = /[^A-Za-z0-9_-]/g

/**
 * The name under which the model calls a tool of a server: `server__tool`. A name that has to be cut or changed gets
 * letters of a hash behind it, so that two that differ stay two.
 */
export function toolNameOf(server: string, tool: string): string {
  const wanted = `${server}__${tool}`
  const permitted = wanted.replaceAll(REFUSED, '_')
  if (permitted === wanted && wanted.length <= MOST_CHARS) return wanted
  const mark = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, 8)
  return `${permitted.slice(0, MOST_CHARS - mark.length - 1)}_${mark}`
}
