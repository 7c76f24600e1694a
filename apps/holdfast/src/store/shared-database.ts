import { type Records, RevisionConflictError } from '@holdfast/conversation'
import { createSeal } from '@holdfast/server'
import * as z from 'zod'
import { CliError } from '../cli-error.ts'
import type { Config } from '../config.ts'

/** What of a server must be the same at all that share a database. */
export type Shared = Pick<Config, 'databaseUrl' | 'auth' | 'newSecretKey'>

/** Who joins. */
interface Joining {
  readonly records: Records
  readonly secret: Uint8Array
  readonly now: number
  /** Whether others reach it; a command of the terminal that starts a server of its own alone is the operator. */
  readonly isServing: boolean
}

/** A text that only the servers' own key opens. */
const CHECK = { kind: 'secret-key-check', schema: z.string() } as const
const CHECK_KEY = { ownerId: 'installation', id: 'check' } as const
const CHECK_TEXT = 'the key of this database'

const USERS = { kind: 'account-user', schema: z.json() } as const

/**
 * Lets a server join the others of a database only with their secret key, and where there are accounts only with these.
 * The first one writes down which key it is, sealed. A data folder has its database alone. [SCALE35]
 *
 * @throws {CliError}
 */
export async function joinDatabase(
  { databaseUrl, auth, newSecretKey }: Shared,
  { records, secret, now, isServing }: Joining,
): Promise<void> {
  if (databaseUrl === null) return
  const fit = await keyFit(records, secret)
  if (fit.type === 'other' && !newSecretKey) throw new CliError('E_OTHER_KEY', 1, OTHER_KEY)
  if (fit.type !== 'fits') await writeCheck(records, { secret, revision: fit.revision, now })
  if (isServing && auth === 'token' && (await hasAccounts(records))) throw new CliError('E_ACCOUNTS', 1, NEEDS_ACCOUNTS)
}

/** What a look finds that a start would be refused for, in words. [SCALE35] */
export async function sharedFindings(
  records: Pick<Records, 'get'>,
  secret: Uint8Array,
): Promise<{ readonly isOtherKey: boolean; readonly words: string }> {
  const { type } = await keyFit(records, secret)
  switch (type) {
    case 'fits':
      return { isOtherKey: false, words: 'The secret key is that of the database' }
    case 'none':
      return { isOtherKey: false, words: 'No server has written down its secret key yet; the next start does' }
    case 'other':
      return { isOtherKey: true, words: OTHER_KEY }
  }
}

const OTHER_KEY =
  'This server has another secret key than the servers of the database: nobody who is signed in there would be here, and stored keys could not be read. Give all of them the same HOLDFAST_SECRET_KEY. Where the right one is lost, start once with --new-secret-key: everybody signs in again, and keys of providers are given again.'

const NEEDS_ACCOUNTS =
  'The database has accounts, and this server would let in whoever has its start-up token, as the first of them. Start it with --auth accounts, as the others.'

type KeyFit = { readonly type: 'fits' } | { readonly type: 'none' | 'other'; readonly revision: number }

async function keyFit(records: Pick<Records, 'get'>, secret: Uint8Array): Promise<KeyFit> {
  const found = await records.get(CHECK, CHECK_KEY)
  if (!found) return { type: 'none', revision: 0 }
  const opened = createSeal(secret, CHECK.kind).open(found.value, CHECK_KEY.id)
  return opened === CHECK_TEXT ? { type: 'fits' } : { type: 'other', revision: found.revision }
}

/** Of two that are the first, one writes; the other has the same key, or is refused. */
async function writeCheck(
  records: Records,
  { secret, revision, now }: { readonly secret: Uint8Array; readonly revision: number; readonly now: number },
): Promise<void> {
  const value = createSeal(secret, CHECK.kind).seal(CHECK_TEXT, CHECK_KEY.id)
  try {
    await records.put(CHECK, { ...CHECK_KEY, revision, value, at: now })
  } catch (error) {
    if (!(error instanceof RevisionConflictError)) throw error
    if ((await keyFit(records, secret)).type !== 'fits') throw new CliError('E_OTHER_KEY', 1, OTHER_KEY)
  }
}

async function hasAccounts(records: Records): Promise<boolean> {
  return (await records.list(USERS, { ownerId: 'installation', limit: 1 })).length > 0
}
