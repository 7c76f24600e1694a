import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { CliError } from './cli-error.ts'
import { madeOnce } from './made-once.ts'

/**
 * The start-up token of a data folder, made at the first start. It stays the same, so that tabs that are
 * open come back after a restart. Only the user of the folder can read it.
 */
export async function startUpToken(dataDir: string): Promise<string> {
  const file = join(dataDir, 'start-up-token')
  const token = await madeOnce(file, () => randomBytes(24).toString('base64url'))
  if (/^[\w-]{32,}$/.test(token)) return token
  throw new CliError('E_TOKEN_DAMAGED', 1, `${file} holds no token. Delete the file; the next start makes a new one.`)
}
