import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import { readConfig, type StartOptions } from '../../config.ts'
import { openBrowser } from '../../open-browser.ts'
import { type FirstWorkspace, start } from '../../start.ts'
import { startUpToken } from '../../start-up-token.ts'
import { startWorkers } from '../../workers/start-workers.ts'
import { createApi } from '../reach/api.ts'
import { runningApi } from '../reach/reach-server.ts'
import { readServerFile } from '../reach/server-file.ts'

/** Opens a folder as a workspace, at the server that runs or at one that is started here, and the page on a new conversation in it. [CLI15] */
export async function open(folder: string, options: StartOptions): Promise<number> {
  const root = realFolder(folder)
  const config = readConfig(options)
  const running = await runningApi(config)
  if (!running) {
    const firstWorkspace: FirstWorkspace = async ({ url, token }) =>
      (await createApi({ url, token }).call(routes.openWorkspace, { body: { root } })).id
    return options.workers === undefined ? start(options, firstWorkspace) : startWorkers(options, firstWorkspace)
  }
  const { id } = await running.call(routes.openWorkspace, { body: { root } })
  const server = await readServerFile(config.dataDir)
  if (!server) throw new CliError('E_NO_SERVER', 69, `The server of ${config.dataDir} has just ended. Try again.`)
  const link = new URL(`${server.opened}/`)
  link.searchParams.set('workspace', id)
  const { mode } = await running.call(routes.readSignInState, {})
  if (mode === 'token') link.searchParams.set('token', await startUpToken(config.dataDir))
  process.stdout.write(`${config.json ? JSON.stringify({ workspaceId: id, link: link.href }) : link.href}\n`)
  if (config.openBrowser) await openBrowser(link.href, { dataDir: config.dataDir, clock: systemClock })
  return 0
}

/** @throws {CliError} */
function realFolder(folder: string): string {
  try {
    return realpathSync(resolve(folder))
  } catch (cause) {
    throw new CliError('E_WORKSPACE', 66, `There is no folder ${folder}.`, { cause })
  }
}
