import { StoreOpenError } from '@holdfast/conversation'
import pg from 'pg'

/**
 * Names the server and the database of a connection string for messages: never the user's password.
 *
 * @throws {StoreOpenError} when it is not a connection string, or its parts cannot be told apart.
 */
export function serverName(connectionString: string): string {
  refuseUnescaped(connectionString)
  const { host, port, database } = parsed(connectionString)
  const place = host.startsWith('/') ? `the socket in ${host}` : `${host}:${port}`
  return `PostgreSQL database "${database ?? ''}" at ${place}`
}

/** A `#`, `/`, `?` or `@` in a password ends it early, and the rest of it would be taken for a host or a name. */
function refuseUnescaped(connectionString: string): void {
  const url = URL.parse(connectionString)
  if (url !== null && ['postgres:', 'postgresql:'].includes(url.protocol)) {
    const misread = connectionString.includes('#') || (url.username === '' && connectionString.includes('@'))
    if (!misread) return
  }
  throw new StoreOpenError(
    'unreachable',
    'The database URL is not one that can be read; write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, ' +
      'with special characters of the password percent-encoded (# is %23, / is %2F, ? is %3F, @ is %40)',
  )
}

function parsed(connectionString: string): { host: string; port: number; database?: string | undefined } {
  const { host, port, database } = new pg.Client({ connectionString })
  return { host, port, database }
}
