import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from './cli-error.ts'

/**
 * The start-up token of a data folder, made at the first start. It stays the same, so that tabs that are
 * open come back after a restart. Only the user of the folder can read it.
 */
export async function startUpToken(dataDir: string): Promise<string> {
  const file = join(dataDir, 'start-up-token')
  try {
    await writeFile(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const token = (await readFile(file, 'utf8')).trim()
  if (/^[\w-]{32,}$/.test(token)) return token
  throw new CliError('E_TOKEN_DAMAGED', 1, `${file} holds no token. Delete the file; the next start makes a new one.`)
}
