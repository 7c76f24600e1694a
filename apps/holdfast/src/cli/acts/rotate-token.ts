import { existsSync } from 'node:fs'
import { routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import { readConfig } from '../../config.ts'
import { startUpToken, startUpTokenFile } from '../../start-up-token.ts'
import { reachServer } from '../reach/reach-server.ts'
import { readServerFile } from '../reach/server-file.ts'
import type { FolderOptions } from './store-commands.ts'

/** Puts another start-up token in the place of the old one, which ends every session. @returns the exit code. [SEC22] */
export async function rotateToken(options: FolderOptions): Promise<number> {
  const asked = { port: '0', host: '127.0.0.1', open: false, json: false, detect: false }
  const { dataDir } = readConfig({ ...asked, ...options })
  // A new folder would get a token of its own, and the one that is meant would keep its old one.
  if (!existsSync(startUpTokenFile(dataDir)))
    throw new CliError(
      'E_STORE_MISSING',
      3,
      `No server was started in ${dataDir} yet. Name its folder with --data-dir.`,
    )
  const server = await reachServer({ detect: false, auth: 'accounts', ...options })
  try {
    const { mode } = await server.api.call(routes.readSignInState, {})
    await server.api.call(routes.rotateStartUpToken, {})
    const token = await startUpToken(dataDir)
    const running = server.isOwn ? null : await readServerFile(dataDir)
    process.stderr.write(
      [
        'Another start-up token counts from now on. Every browser is signed out, and programs that send the old token are refused.',
        `Programs find the new one in ${startUpTokenFile(dataDir)}. API keys of people still open; each is deleted by its owner.`,
        nextStep(running !== null, mode),
        '',
      ].join('\n'),
    )
    if (running !== null && mode === 'token') process.stdout.write(`${running.opened}/?token=${token}\n`)
    return 0
  } finally {
    await server.close()
  }
}

function nextStep(isRunning: boolean, mode: 'token' | 'accounts'): string {
  if (!isRunning) return 'The next start shows the new link; people with accounts sign in again.'
  return mode === 'token' ? 'Open the page with this link:' : 'People sign in again where they were signed in.'
}
