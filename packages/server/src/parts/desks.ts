import { type Clock, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import { type Composer, ComposerContent, type SentPart } from '@holdfast/protocol'
import * as z from 'zod'
import { RefusedError } from './to-problem.ts'

const COMPOSER = {
  kind: 'composer',
  schema: z.object({ content: ComposerContent }),
} as const satisfies RecordKind<{ content: SentPart[] }>

const READ_MARK = {
  kind: 'read-mark',
  schema: z.object({ seq: z.int().nonnegative() }),
} as const satisfies RecordKind<{ seq: number }>

/** Whose, and of which conversation. */
export interface DeskKey {
  readonly userId: string
  readonly conversationId: string
}

/** The unsent text of a conversation is at this version. */
export interface ComposerChange {
  readonly conversationId: string
  readonly version: number
}

/** What a user has of a conversation beside its log: the unsent text, and how far they have read. */
export interface Desks {
  read(key: DeskKey): Promise<Composer>
  /** @throws {RefusedError} when another version was written since. */
  write(key: DeskKey, composer: Composer): Promise<Composer>
  /** Adds to what stands there; never in the place of typed words. @throws {RefusedError} when it is full. */
  append(key: DeskKey, content: readonly SentPart[]): Promise<Composer>
  /** Tells of every change of an unsent text of a user. @returns a function that ends the subscription. */
  subscribe(userId: string, listener: (change: ComposerChange) => void): () => void
  readMark(key: DeskKey): Promise<number>
  /** Moves the mark on; it never goes back. */
  markRead(key: DeskKey, seq: number): Promise<number>
  /** Forgets both. */
  clear(key: DeskKey): Promise<void>
}

/** Keeps both in the records. */
export function createDesks(records: Records, clock: Clock): Desks {
  const listeners = new Map<string, Set<(change: ComposerChange) => void>>()

  async function read({ userId, conversationId }: DeskKey): Promise<Composer> {
    const found = await records.get(COMPOSER, { ownerId: userId, id: conversationId })
    return { content: found?.value.content ?? [], version: found?.revision ?? 0 }
  }

  async function write({ userId, conversationId }: DeskKey, { content, version }: Composer): Promise<Composer> {
    const place = { ownerId: userId, id: conversationId, revision: version, at: clock.now() }
    const { revision } = await records.put(COMPOSER, { ...place, value: { content } })
    for (const listener of listeners.get(userId) ?? []) listener({ conversationId, version: revision })
    return { content, version: revision }
  }

  async function clearKind<Value extends { content: SentPart[] } | { seq: number }>(
    kind: RecordKind<Value>,
    { userId, conversationId }: DeskKey,
  ): Promise<void> {
    const found = await records.get(kind, { ownerId: userId, id: conversationId })
    if (found) await records.remove(kind, { ownerId: userId, id: conversationId, revision: found.revision })
  }

  return {
    read,
    async write(key, composer) {
      try {
        return await write(key, composer)
      } catch (error) {
        if (!(error instanceof RevisionConflictError)) throw error
        const words = `The composer is at version ${error.currentRevision}, not ${composer.version}; read it again`
        throw new RefusedError(409, 'conflict', words)
      }
    },
    append: (key, content) =>
      untilWritten(async () => {
        const there = await read(key)
        const both = ComposerContent.safeParse([...there.content, ...content])
        if (!both.success) throw new RefusedError(422, 'too-large', 'The composer has no room for more parts')
        return write(key, { content: both.data, version: there.version })
      }),
    subscribe(userId, listener) {
      const own = listeners.get(userId) ?? new Set()
      listeners.set(userId, own)
      own.add(listener)
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId)
      }
    },
    async readMark({ userId, conversationId }) {
      const found = await records.get(READ_MARK, { ownerId: userId, id: conversationId })
      return found?.value.seq ?? 0
    },
    markRead: ({ userId, conversationId }, seq) =>
      untilWritten(async () => {
        const key = { ownerId: userId, id: conversationId }
        const found = await records.get(READ_MARK, key)
        if (found && found.value.seq >= seq) return found.value.seq
        await records.put(READ_MARK, { ...key, revision: found?.revision ?? 0, value: { seq }, at: clock.now() })
        return seq
      }),
    async clear(key) {
      await untilWritten(() => clearKind(COMPOSER, key))
      await untilWritten(() => clearKind(READ_MARK, key))
    },
  }
}

/** Reads and writes again while others are faster: each of those has written. */
async function untilWritten<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
    }
  }
}
