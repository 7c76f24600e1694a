import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from './cli-error.ts'
import { madeOnce } from './made-once.ts'

const KEY_BYTES = 32

/**
 * The key that seals what the database must not give away: keys of providers, tokens of sessions. It is made at the
 * first start and kept beside the database, never in it. Several servers on one database are given the same one. [SEC4]
 *
 * @throws {CliError} when it is not one.
 */
export async function secretKey(dataDir: string, given: string | null): Promise<Uint8Array> {
  if (given !== null) return decoded(given, 'HOLDFAST_SECRET_KEY')
  const file = join(dataDir, 'secret-key')
  return decoded(await madeOnce(file, () => randomBytes(KEY_BYTES).toString('base64url')), file)
}

/** The key of a data folder, or the one that was given, for a look that makes none; null where there is none yet. @throws {CliError} when it is not one. */
export async function knownSecretKey(dataDir: string, given: string | null): Promise<Uint8Array | null> {
  if (given !== null) return decoded(given, 'HOLDFAST_SECRET_KEY')
  const file = join(dataDir, 'secret-key')
  const text = await readFile(file, 'utf8').catch(toMissing)
  return text === null ? null : decoded(text.trim(), file)
}

function toMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

function decoded(text: string, place: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length === KEY_BYTES) return bytes
  throw new CliError(
    'E_SECRET_KEY',
    1,
    `${place} holds no key: it is ${KEY_BYTES} bytes in base64url. Put the right one back. Without it the stored keys of providers are lost and everyone signs in again: unset the variable, or delete the file, to begin with a new one.`,
  )
}
