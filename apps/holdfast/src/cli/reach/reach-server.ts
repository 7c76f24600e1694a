import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { createRouteApi, RequestFailedError } from '@holdfast/client'
import { routes } from '@holdfast/protocol'
import { passOf, proofOf } from '@holdfast/server'
import * as z from 'zod'
import { CliError } from '../../cli-error.ts'
import { startHoldfast } from '../../compose.ts'
import { type Config, readConfig } from '../../config.ts'
import { closeAtEnd } from '../../process-end.ts'
import { startUpToken } from '../../start-up-token.ts'
import { type Api, createApi } from './api.ts'
import { explained } from './explained.ts'
import { readServerFile } from './server-file.ts'

/** What every command that talks to conversations is told. */
export interface ReachOptions {
  readonly dataDir?: string
  readonly workspace?: string
  readonly detect: boolean
  /** `accounts` for commands about users. */
  readonly auth?: string
  /** Of a command that looks for what is there: a data folder that does not exist is said, and not made. */
  readonly looksOnly?: boolean
}

/** A server to talk to: one that runs, or one of this command's own that ends with it. */
export interface ReachedServer {
  readonly api: Api
  readonly isOwn: boolean
  /** The address that people and programs open; null of one that ends with this command. */
  readonly opened: string | null
  /** The server of the data folder as it is now, perhaps started anew and elsewhere; null where none answers. */
  readonly findAgain: () => Promise<Api | null>
  close(): Promise<void>
}

/** Finds the running server of the data folder, or starts one for this command alone. */
export async function reachServer(options: ReachOptions): Promise<ReachedServer> {
  const config = readConfig({ port: '0', host: '127.0.0.1', open: false, json: false, ...options })
  const running = await findRunning(config)
  if (running) return toReached(config, running)
  if (options.looksOnly === true && config.databaseUrl === null && !existsSync(config.dataDir))
    throw new CliError('E_NO_DATA', 66, `There is no data folder ${config.dataDir}: nothing has been kept there yet.`)
  const { url, token, close } = await explained(() => startHoldfast(config, { quiet: true, behind: null }))
  let closing: Promise<void> | null = null
  const closeOnce = (): Promise<void> => {
    closing ??= close()
    return closing
  }
  closeAtEnd(closeOnce)
  return { api: createApi({ url, token }), isOwn: true, opened: null, findAgain: async () => null, close: closeOnce }
}

/** Finds the running server of the data folder. @throws {CliError} where there is none. */
export async function reachRunningServer(options: ReachOptions): Promise<ReachedServer> {
  const config = readConfig({ port: '0', host: '127.0.0.1', open: false, json: false, ...options })
  const running = await findRunning(config)
  if (running) return toReached(config, running)
  throw new CliError('E_NO_SERVER', 69, `No server runs on ${config.dataDir}. Start it with: holdfast start`)
}

function toReached(config: Config, { api, opened }: RunningServer): ReachedServer {
  return { api, isOwn: false, opened, findAgain: () => runningApi(config), close: async () => {} }
}

/** The server that this data folder has now; null where it has none. */
export async function runningApi(config: Pick<Config, 'dataDir'>): Promise<Api | null> {
  return (await findRunning(config))?.api ?? null
}

interface RunningServer {
  readonly api: Api
  readonly opened: string
}

async function findRunning({ dataDir }: Pick<Config, 'dataDir'>): Promise<RunningServer | null> {
  const server = await readServerFile(dataDir)
  if (!server) return null
  const { url, opened, pid, run } = server
  if (!isRunning(pid)) return null
  const token = await startUpToken(await realpath(dataDir))
  return (await isProven({ url, run, token })) ? { api: createApi({ url, token: passOf(token, run) }), opened } : null
}

/**
 * Whether the server that was noted answers. Killed without a word, its port may be another program's by now: nothing
 * secret is sent before it has shown that it knows the token, and then only what opens this run of it. [SEC21]
 */
async function isProven({
  url,
  run,
  token,
}: {
  readonly url: string
  readonly run: string
  readonly token: string
}): Promise<boolean> {
  const challenge = randomBytes(32).toString('base64url')
  try {
    const { proof } = await createRouteApi({ url }).call(routes.proveServer, { body: { challenge } })
    return proof === proofOf(token, { challenge, run })
  } catch (error) {
    // It does not answer, or answers as no server of ours does: whoever opens the folder next finds out.
    if (error instanceof RequestFailedError || error instanceof SyntaxError || error instanceof z.ZodError) return false
    throw error
  }
}

/** Whether there is such a process, of whichever user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
