import { StoreOpenError, StoreReadError, StoreWriteError } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { PublicAddressError } from '@holdfast/server'
import { toStoreError } from './cli/reach/explained.ts'
import { CliError } from './cli-error.ts'
import { startHoldfast } from './compose.ts'
import { type Config, readConfig, type StartOptions } from './config.ts'
import { toFolderError } from './data-folder.ts'
import { letNurseryGrow } from './keep-nursery-small.ts'
import { closeAtEnd } from './process-end.ts'
import type { Running } from './running.ts'
import { createProcessCollector, watchMemory } from './save-memory.ts'
import { announce } from './serving/announce.ts'
import { readFoundWords } from './serving/found-words.ts'
import { toListenError } from './serving/listen-error.ts'
import { refuseTakenPort, servedAlready } from './serving/port-taken.ts'
import { SAVING, SHUTDOWN_MS, type Stopped, untilSignal } from './serving/until-signal.ts'
import { lockDataFolder } from './store/lock-data-folder.ts'
import type { BehindPort } from './workers/behind-port.ts'

/** Finds the workspace in which the page begins; null where it begins as always. */
export type FirstWorkspace = (running: Pick<Running, 'url' | 'token'>) => Promise<string | null>

/** Runs the server until it is told to end. @returns the exit code. */
export async function start(options: StartOptions, firstWorkspace: FirstWorkspace): Promise<number> {
  const config = readConfig(options)
  return serve(config, {
    stopped: untilSignal(),
    behind: null,
    async onReady(running) {
      const linkOfBrowser = (): string => running.linkWithCode(running.startupToken.makeCode())
      const foundWords = config.json ? null : await readFoundWords(running, config.auth)
      await announce(config, { ...running, linkOfBrowser, workspaceId: await firstWorkspace(running), foundWords })
    },
  })
}

/** How one process serves. */
export interface Serving {
  readonly stopped: Stopped
  /** Where it shares its port with others. */
  readonly behind: BehindPort | null
  onReady(running: Running): Promise<void>
}

const OUTDATED =
  'A newer Holdfast has changed the database, and this server cannot go on beside it: it ends. Start that version (E_OUTDATED)\n'

/** Starts, and serves until it is told to end. @returns the exit code. */
export async function serve(config: Config, { stopped, behind, onReady }: Serving): Promise<number> {
  const running = await untilStarted(config, { stopped, behind })
  closeAtEnd(running.close)
  letNurseryGrow()
  await onReady(running)
  const stopSaving = watchMemory({ clock: systemClock, collector: createProcessCollector() })
  const isOutdated = await Promise.race([stopped.first.then(() => false), running.outdated.then(() => true)])
  stopSaving()
  if (isOutdated) process.stderr.write(OUTDATED)
  else if (!behind) process.stderr.write(SAVING)
  const limit = Promise.withResolvers<void>()
  const drainMs = config.databaseUrl === null ? 0 : config.replicaTimes.drainMs
  const cancelLimit = systemClock.after(drainMs + SHUTDOWN_MS, limit.resolve)
  await Promise.race([running.close(), stopped.second, limit.promise])
  cancelLimit()
  return isOutdated ? 1 : 0
}

/** Starts. What is told to end meanwhile ends when it has started, or without that when it takes too long. */
async function untilStarted(config: Config, { stopped, behind }: Omit<Serving, 'onReady'>): Promise<Running> {
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
    return await Promise.race([startOrExplain(config, behind), brokenOff.promise])
  } finally {
    isStarting = false
    cancelLimit()
  }
}

async function startOrExplain(config: Config, behind: BehindPort | null): Promise<Running> {
  try {
    if (behind) return await startHoldfast(config, { quiet: false, behind })
    await refuseTakenPort(config)
    return await startLocked(config)
  } catch (error) {
    const told = toCliError(error, config)
    if (told?.code !== 'E_STORE_LOCKED') throw told ?? error
    throw (await servedAlready(config.dataDir)) ?? told
  }
}

/** Workers share the folder of the process that has their port, and that one holds it. */
async function startLocked(config: Config): Promise<Running> {
  const lock = await lockDataFolder(config)
  try {
    const running = await startHoldfast(config, { quiet: false, behind: null })
    return { ...running, close: () => running.close().finally(() => lock?.close()) }
  } catch (error) {
    lock?.close()
    throw error
  }
}

function toCliError(error: unknown, config: Config): CliError | null {
  if (error instanceof CliError) return error
  if (error instanceof PublicAddressError)
    return new CliError('E_PUBLIC_ADDRESS', 4, `${error.message}.`, { cause: error })
  if (error instanceof StoreOpenError || error instanceof StoreReadError || error instanceof StoreWriteError)
    return toStoreError(error)
  const folderError = toFolderError(error)
  return folderError ?? toListenError(error, config)
}
