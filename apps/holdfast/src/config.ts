import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { CliError } from './cli-error.ts'

/** What `holdfast start` was asked for on the command line. */
export interface StartOptions {
  readonly port: string
  readonly host: string
  readonly dataDir?: string
  readonly open: boolean
  readonly json: boolean
}

/** What the program runs with. Flags win over the environment, the environment over what is usual. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly openBrowser: boolean
  readonly json: boolean
}

/** The only place that reads the environment. */
export function readConfig(options: StartOptions): Config {
  return {
    host: options.host,
    port: toPort(options.port),
    dataDir: resolve(options.dataDir ?? process.env['HOLDFAST_DATA_DIR'] ?? usualDataDir()),
    openBrowser: options.open,
    json: options.json,
  }
}

function toPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new CliError('E_USAGE', 2, `--port is a number from 0 to 65535, not "${text}"; 0 takes any that is free.`)
}

function usualDataDir(): string {
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'holdfast')
    case 'win32':
      return join(process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'holdfast')
    default:
      return join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'holdfast')
  }
}
