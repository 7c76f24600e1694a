import { StoreOpenError } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { PublicAddressError } from '@holdfast/server'
import { toStoreError } from './cli/reach/explained.ts'
import { CliError } from './cli-error.ts'
import { startHoldfast } from './compose.ts'
import { type Config, readConfig, type StartOptions } from './config.ts'
import { toFolderError } from './data-folder.ts'
import { letNurseryGrow } from './keep-nursery-small.ts'
import { openBrowser } from './open-browser.ts'
import { closeAtEnd } from './process-end.ts'
import type { Running } from './running.ts'
import { createProcessCollector, watchMemory } from './save-memory.ts'
import { VERSION } from './version.ts'

/** The longest that a shutdown takes when its drain has ended, in milliseconds. What is not written by then is recovered at the next start. */
const SHUTDOWN_MS = 9_000

/** Finds the workspace in which the page begins; null where it begins as always. */
export type FirstWorkspace = (running: Running) => Promise<string | null>

/** Runs the server until it is told to end. @returns the exit code. */
export async function start(options: StartOptions, firstWorkspace: FirstWorkspace): Promise<number> {
  const config = readConfig(options)
  const stopped = untilSignal()
  const running = await untilStarted(config, stopped)
  closeAtEnd(running.close)
  letNurseryGrow()
  await announce(config, { ...running, workspaceId: await firstWorkspace(running) })
  const stopSaving = watchMemory({ clock: systemClock, collector: createProcessCollector() })
  await stopped.first
  stopSaving()
  process.stderr.write('Saving what runs. Press Ctrl+C again to end now.\n')
  const limit = Promise.withResolvers<void>()
  const drainMs = config.databaseUrl === null ? 0 : config.replicaTimes.drainMs
  const cancelLimit = systemClock.after(drainMs + SHUTDOWN_MS, limit.resolve)
  await Promise.race([running.close(), stopped.second, limit.promise])
  cancelLimit()
  return 0
}

/** Starts. What is told to end meanwhile ends when it has started, or without that when it takes too long. */
async function untilStarted(config: Config, stopped: ReturnType<typeof untilSignal>): Promise<Running> {
  const brokenOff = Promise.withResolvers<never>()
  const giveUp = (): void =>
    brokenOff.reject(new CliError('E_INTERRUPTED', 130, 'The start was broken off; nothing ran yet.'))
  let isStarting = true
  let cancelLimit = (): void => {}
  void stopped.first.then(() => {
    if (isStarting) cancelLimit = systemClock.after(SHUTDOWN_MS, giveUp)
  })
  void stopped.second.then(() => {
    if (isStarting) giveUp()
  })
  try {
    return await Promise.race([startOrExplain(config), brokenOff.promise])
  } finally {
    isStarting = false
    cancelLimit()
  }
}

interface Announced extends Running {
  readonly workspaceId: string | null
}

async function announce(
  config: Config,
  { url, token, link: plainLink, linkOfBrowser, workspaceId }: Announced,
): Promise<void> {
  const { dataDir } = config
  const link = beginningIn(plainLink, workspaceId)
  if (config.json) process.stdout.write(`${JSON.stringify({ url, token, dataDir, version: VERSION })}\n`)
  else process.stderr.write(`holdfast ${VERSION}   data ${dataDir}\n${link}\nPress Ctrl+C to stop.\n`)
  // The line for programs has no room for it, and without it nobody gets in.
  if (config.json && config.auth === 'accounts') process.stderr.write(`${link}\n`)
  if (config.openBrowser) await openBrowser(beginningIn(linkOfBrowser(), workspaceId), { dataDir, clock: systemClock })
}

function beginningIn(link: string, workspaceId: string | null): string {
  return workspaceId === null ? link : `${link}${link.includes('?') ? '&' : '?'}workspace=${workspaceId}`
}

async function startOrExplain(config: Config): Promise<Running> {
  try {
    return await startHoldfast(config, { quiet: false })
  } catch (error) {
    throw toCliError(error, config) ?? error
  }
}

function toCliError(error: unknown, { host, port }: Config): CliError | null {
  if (error instanceof CliError) return error
  if (error instanceof PublicAddressError)
    return new CliError('E_PUBLIC_ADDRESS', 4, `${error.message}.`, { cause: error })
  if (error instanceof StoreOpenError) return toStoreError(error)
  const folderError = toFolderError(error)
  if (folderError) return folderError
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

/** Listens for the signals that end the program; the first asks, the second insists. */
function untilSignal(): { readonly first: Promise<void>; readonly second: Promise<void> } {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let asked = false
  function onSignal(): void {
    if (asked) second.resolve()
    else first.resolve()
    asked = true
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return { first: first.promise, second: second.promise }
}
