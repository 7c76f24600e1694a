import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from './cli-error.ts'
import { madeOnce } from './made-once.ts'

/**
 * The start-up token of a data folder, made at the first start. It stays the same, so that tabs that are
 * open come back after a restart. Only the user of the folder can read it.
 */
export async function startUpToken(dataDir: string): Promise<string> {
  const file = startUpTokenFile(dataDir)
  const token = await madeOnce(file, newToken)
  if (/^[\w-]{32,}$/.test(token)) return token
  throw new CliError('E_TOKEN_DAMAGED', 1, `${file} holds no token. Delete the file; the next start makes a new one.`)
}

/** Makes another token and keeps it in the place of the old one; the file holds one or the other at every moment. [SEC22] */
export async function makeStartUpToken(dataDir: string): Promise<string> {
  const token = newToken()
  const arriving = `${startUpTokenFile(dataDir)}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(arriving, 'wx', 0o600)
    try {
      await file.writeFile(`${token}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(arriving, startUpTokenFile(dataDir))
  } finally {
    await rm(arriving, { force: true })
  }
  return token
}

/** Where the token is kept. */
export function startUpTokenFile(dataDir: string): string {
  return join(dataDir, 'start-up-token')
}

function newToken(): string {
  return randomBytes(24).toString('base64url')
}
