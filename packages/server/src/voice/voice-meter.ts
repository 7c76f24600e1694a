import { type Clock, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import { type BodyOf, type routes, VOICE_LIMITS } from '@holdfast/protocol'
import * as z from 'zod'
import { RefusedForNowError } from '../parts/to-problem.ts'

/** What one request took; the cost is null where nobody knows it. */
export type VoiceUse =
  | { readonly type: 'spoken'; readonly characters: number; readonly costUsd: number | null }
  | { readonly type: 'heard'; readonly seconds: number | null; readonly costUsd: number | null }
  | { readonly type: 'failed' }

type Day = BodyOf<typeof routes.readVoiceUsage, 200>['days'][number]

const Stored = z.object({
  spoken: z.int(),
  characters: z.int(),
  heard: z.int(),
  seconds: z.number(),
  failed: z.int(),
  costUsd: z.number(),
  unpriced: z.int(),
})
type Stored = z.infer<typeof Stored>

const VOICE_DAY = { kind: 'voice-day', schema: Stored } as const satisfies RecordKind<Stored>

const NOTHING: Stored = { spoken: 0, characters: 0, heard: 0, seconds: 0, failed: 0, costUsd: 0, unpriced: 0 }
const MINUTE_MS = 60_000
/** One of those that are at work ends about so soon, in milliseconds. */
const BUSY_MS = 2_000
/** So many requests of one person wait for a place; more are refused. */
const MOST_WAITING = 16
/** So many days are kept apart for each person, and shown. */
const DAYS = 400

/** Bounds how often each person has something said or heard, and counts what it takes. [VOICE4] */
export interface VoiceMeter {
  /**
   * Takes a place for one request, after those that came before: who broke one off may still have its place for a moment.
   *
   * @returns what gives it back.
   * @throws {RefusedError} 429 for more than a minute may bring, and where too many wait.
   */
  enter(userId: string): Promise<() => void>
  count(userId: string, use: VoiceUse): Promise<void>
  /** The newest first. */
  days(userId: string): Promise<readonly Day[]>
}

/** Keeps the days in the records; the limits are those of this process. */
export function createVoiceMeter({ records, clock }: { readonly records: Records; readonly clock: Clock }): VoiceMeter {
  const arrivals = new Map<string, number[]>()
  const open = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  function checkMinute(userId: string): void {
    const now = clock.now()
    const lately = (arrivals.get(userId) ?? []).filter((at) => now - at < MINUTE_MS)
    arrivals.set(userId, lately)
    if (lately.length >= VOICE_LIMITS.requestsAMinute)
      throw new RefusedForNowError(
        `More than ${VOICE_LIMITS.requestsAMinute} of these in a minute`,
        MINUTE_MS - (now - (lately[0] ?? now)),
      )
    lately.push(now)
  }

  /** The place of the next one that ends goes to the first that waits. */
  function placeOf(userId: string): Promise<void> {
    const others = waiting.get(userId) ?? []
    if (others.length >= MOST_WAITING)
      throw new RefusedForNowError(`More than ${VOICE_LIMITS.atOnce + MOST_WAITING} of these at once`, BUSY_MS)
    waiting.set(userId, others)
    return new Promise((resolve) => others.push(resolve))
  }

  function giveBack(userId: string): void {
    const others = waiting.get(userId) ?? []
    const next = others.shift()
    if (others.length === 0) waiting.delete(userId)
    if (next) {
      next()
      return
    }
    const left = (open.get(userId) ?? 1) - 1
    if (left > 0) open.set(userId, left)
    else open.delete(userId)
  }

  return {
    async enter(userId) {
      checkMinute(userId)
      const count = open.get(userId) ?? 0
      if (count < VOICE_LIMITS.atOnce) open.set(userId, count + 1)
      else await placeOf(userId)
      return () => giveBack(userId)
    },
    async count(userId, use) {
      const key = { ownerId: userId, id: new Date(clock.now()).toISOString().slice(0, 10) }
      for (;;) {
        const found = await records.get(VOICE_DAY, key)
        const value = withUse(found?.value ?? NOTHING, use)
        try {
          await records.put(VOICE_DAY, { ...key, revision: found?.revision ?? 0, value, at: clock.now() })
          return
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
        }
      }
    },
    async days(userId) {
      const found = await records.list(VOICE_DAY, { ownerId: userId, limit: DAYS })
      return found.map(({ id, value }) => ({ day: id, ...value })).reverse()
    },
  }
}

function withUse(day: Stored, use: VoiceUse): Stored {
  if (use.type === 'failed') return { ...day, failed: day.failed + 1 }
  const cost = { costUsd: day.costUsd + (use.costUsd ?? 0), unpriced: day.unpriced + Number(use.costUsd === null) }
  return use.type === 'spoken'
    ? { ...day, ...cost, spoken: day.spoken + 1, characters: day.characters + use.characters }
    : { ...day, ...cost, heard: day.heard + 1, seconds: day.seconds + (use.seconds ?? 0) }
}
