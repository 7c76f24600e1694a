import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'
import { type ApiKeyRow, Scope } from '@holdfast/protocol'
import * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import type { AccountTables, Row } from './account-tables.ts'

/** Keys of users for programs. Only their hashes are kept; a key has 256 random bits, so that no slow hash is needed. */
export interface ApiKeys {
  list(userId: string): readonly ApiKeyRow[]
  /** Makes a key and shows it this once. */
  make(userId: string, asked: NewKey): Promise<{ readonly key: string; readonly row: ApiKeyRow }>
  /** @throws {RefusedError} when the user has no such key. */
  remove(userId: string, keyId: string): Promise<void>
  /** Takes all keys of a user away. */
  removeAll(userId: string): Promise<void>
  /** The key that a request carries, or null where there is none, or its time is over. */
  find(key: string): FoundKey | null
  isGood(keyId: string): boolean
}

/** What a key is to be. */
export interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresInDays?: number
}

/** Whose key it is, and for what. */
export interface FoundKey {
  readonly keyId: string
  readonly userId: string
  readonly scopes: readonly Scope[]
}

/** Says what it is where it is found by accident. */
const PREFIX = 'hf_'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** The most keys of one user. */
const MAX_KEYS = 50

const Stored = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  /** Joined by commas. */
  scopes: z.string(),
  hash: z.string(),
  beginning: z.string(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  usedAt: z.number().nullable(),
})
type Stored = z.infer<typeof Stored>

/** Keeps the keys in their table. */
export function createApiKeys({
  tables,
  clock,
  onError,
}: {
  readonly tables: AccountTables
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): ApiKeys {
  const all = () => tables.rows('api-key').map((row) => Stored.parse(row))
  const isInTime = ({ expiresAt }: Stored) => expiresAt === null || expiresAt > clock.now()

  function noteUse({ id, usedAt }: Stored): void {
    const now = clock.now()
    if (usedAt !== null && now - usedAt < HOUR_MS) return
    tables.change('api-key', id, { usedAt: now }).catch(onError)
  }

  /** Counted anew where another server has made one meanwhile. [SCALE32] */
  function checkRoom(userId: string): void {
    if (tables.row('user', userId) === null) throw new RefusedError(404, 'unknown-user', `There is no user ${userId}`)
    if (all().filter((key) => key.userId === userId).length >= MAX_KEYS)
      throw new RefusedError(422, 'too-many-requests', `There are at most ${MAX_KEYS} keys; delete one first`)
  }

  return {
    list: (userId) =>
      all()
        .filter((key) => key.userId === userId)
        .toSorted((a, b) => b.createdAt - a.createdAt)
        .map(toApiKeyRow),
    async make(userId, { name, scopes, expiresInDays }) {
      const key = PREFIX + randomBytes(32).toString('base64url')
      const createdAt = clock.now()
      const stored = {
        id: `key_${randomBytes(12).toString('hex')}`,
        userId,
        name,
        scopes: [...new Set(scopes)].join(','),
        hash: hashOf(key),
        beginning: key.slice(0, PREFIX.length + 4),
        createdAt,
        expiresAt: expiresInDays === undefined ? null : createdAt + expiresInDays * DAY_MS,
        usedAt: null,
      } satisfies Row
      for (let isMade = false; !isMade; ) {
        checkRoom(userId)
        isMade = await tables.insertOfUser('api-key', stored, userId)
      }
      return { key, row: toApiKeyRow(stored) }
    },
    async remove(userId, keyId) {
      const row = tables.row('api-key', keyId)
      if (row?.['userId'] !== userId || !(await tables.remove('api-key', keyId)))
        throw new RefusedError(404, 'unknown-key', `There is no key ${keyId}`)
    },
    async removeAll(userId) {
      for (const key of all()) if (key.userId === userId) await tables.remove('api-key', key.id)
    },
    find(key) {
      if (!key.startsWith(PREFIX)) return null
      const hash = hashOf(key)
      const stored = all().find((one) => one.hash === hash && isInTime(one))
      if (!stored) return null
      noteUse(stored)
      return { keyId: stored.id, userId: stored.userId, scopes: scopesOf(stored) }
    },
    isGood(keyId) {
      const row = tables.row('api-key', keyId)
      return row !== null && isInTime(Stored.parse(row))
    },
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

function scopesOf({ scopes }: Stored): Scope[] {
  return scopes.split(',').map((scope) => Scope.parse(scope))
}

function toApiKeyRow(stored: Stored): ApiKeyRow {
  const { id, name, beginning, createdAt, expiresAt, usedAt } = stored
  return { id, name, scopes: scopesOf(stored), beginning, createdAt, expiresAt, usedAt }
}
