import { randomBytes } from 'node:crypto'
import { systemClock } from '@holdfast/engine/system'
import { removeServerFile, writeServerFile } from '../cli/reach/server-file.ts'
import { CliError } from '../cli-error.ts'
import { type Config, readConfig, type StartOptions } from '../config.ts'
import { closeAtEnd } from '../process-end.ts'
import { announce } from '../serving/announce.ts'
import { readFoundWords } from '../serving/found-words.ts'
import { servedAlready } from '../serving/port-taken.ts'
import { SAVING, SHUTDOWN_MS, untilSignal } from '../serving/until-signal.ts'
import type { FirstWorkspace } from '../start.ts'
import { createStderrLog } from '../stderr-log.ts'
import { lockDataFolder } from '../store/lock-data-folder.ts'
import { openCrew } from './crew.ts'
import { openSharedPort } from './shared-port.ts'

/** More processes than a machine has use for. */
const MOST_WORKERS = 64

/** What the workers take beyond their own shutdown, in milliseconds. */
const ENDING_MS = 1_000

/** Has several processes serve one port, each a replica, until it is told to end. @returns the exit code. [SCALE4] */
export async function startWorkers(options: StartOptions, firstWorkspace: FirstWorkspace): Promise<number> {
  const config = readConfig(options)
  const count = toCount(options.workers ?? '')
  if (config.databaseUrl === null)
    throw new CliError(
      'E_WORKERS_NEED_POSTGRESQL',
      2,
      'With --workers several processes write into one database, and SQLite in the data folder has one owner. Name a PostgreSQL in HOLDFAST_DATABASE_URL (holdfast move brings everything there), or leave --workers out.',
    )
  const lock = await lockDataFolder(config).catch(async (error: unknown) => {
    throw (await servedAlready(config.dataDir)) ?? error
  })
  return serveTogether(config, { options, count, firstWorkspace }).finally(() => lock?.close())
}

interface Together {
  readonly options: StartOptions
  readonly count: number
  readonly firstWorkspace: FirstWorkspace
}

async function serveTogether(config: Config, { options, count, firstWorkspace }: Together): Promise<number> {
  const stopped = untilSignal()
  const shared = await openSharedPort(config)
  const run = randomBytes(16).toString('base64url')
  const crew = openCrew({
    begin: { type: 'begin', options: { ...options }, run, address: { host: config.host, port: shared.port } },
    count,
    shared,
    clock: systemClock,
    log: createStderrLog({ level: config.logLevel, secrets: () => [] }),
  })
  closeAtEnd(crew.end)
  const outcome = await Promise.race([crew.ready, stopped.first.then(() => 'stopped' as const)])
  if (outcome === 'stopped')
    return endWithin(config, crew.end(), { stopped: stopped.second, kill: crew.kill, code: 130 })
  if (outcome.type === 'failed') {
    shared.close()
    return outcome.exitCode
  }
  const { url, opened, token, link } = outcome
  await writeServerFile(config.dataDir, { url, opened, pid: process.pid, run })
  const linkOfBrowser = (): string => (config.auth === 'accounts' ? link : `${opened}/?code=${crew.makeCode()}`)
  const foundWords = config.json ? null : await readFoundWords({ url, token }, config.auth)
  const workspaceId = await firstWorkspace({ url, token })
  await announce(config, { url, token, link, linkOfBrowser, workspaceId, foundWords })
  await stopped.first
  process.stderr.write(SAVING)
  await removeServerFile(config.dataDir)
  return endWithin(config, crew.end(), { stopped: stopped.second, kill: crew.kill, code: 0 })
}

interface EndLimit {
  readonly stopped: Promise<void>
  readonly kill: () => void
  readonly code: number
}

async function endWithin(config: Config, ended: Promise<void>, { stopped, kill, code }: EndLimit): Promise<number> {
  const limit = Promise.withResolvers<void>()
  const cancel = systemClock.after(config.replicaTimes.drainMs + SHUTDOWN_MS + ENDING_MS, limit.resolve)
  await Promise.race([ended, stopped, limit.promise])
  cancel()
  kill()
  return code
}

function toCount(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= MOST_WORKERS) return count
  throw new CliError('E_USAGE', 2, `--workers is a number from 1 to ${MOST_WORKERS}, not "${text}".`)
}
