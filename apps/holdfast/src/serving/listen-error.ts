import { CliError } from '../cli-error.ts'
import type { Config } from '../config.ts'

/** What it means to a person that an address cannot be listened on; null for another error. */
export function toListenError(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): CliError | null {
  if (!(error instanceof Error && 'code' in error)) return null
  switch (error.code) {
    case 'EADDRINUSE':
      return new CliError(
        'E_PORT_IN_USE',
        1,
        `Port ${port} of ${host} is in use by another program. End that one, or choose another port: --port ${port + 1}, or --port 0 for any that is free.`,
        { cause: error },
      )
    case 'EACCES':
      return new CliError(
        'E_PORT_FORBIDDEN',
        1,
        `Port ${port} of ${host} may not be used. Choose one above 1023 with --port.`,
        { cause: error },
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CliError(
        'E_NO_ADDRESS',
        1,
        `${host} is no address of this computer. Leave --host out to use 127.0.0.1.`,
        { cause: error },
      )
    default:
      return null
  }
}
