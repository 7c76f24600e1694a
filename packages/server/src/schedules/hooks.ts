import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type Clock, type Ids, RESOURCE_CHARS } from '@holdfast/conversation'
import { RefusedError, RefusedForNowError } from '../parts/to-problem.ts'
import type { ScheduleRecord, StoredSchedules } from './stored-schedules.ts'
import type { Triggers } from './triggers.ts'

/** A call of the address of a schedule, before anything of it is believed. */
export interface HookCall {
  readonly hookId: string
  /** When it was signed, in milliseconds since the Unix epoch, as it came. */
  readonly timestamp: string
  /** `v1=` and the HMAC-SHA256 of timestamp, full stop and body, in hexadecimal, as it came. */
  readonly signature: string
  readonly body: Buffer
}

/** Calls from outside that set off runs. [SCHED19, SCHED20] */
export interface Hooks {
  /** The secret of an address. It follows from the server's own: nothing of it is kept. */
  secretOf(hookId: string): string
  /** @throws {RefusedError} for what is not signed, too old, there already, too often, or for nobody. */
  receive(call: HookCall): Promise<'begun' | 'queued'>
}

/** A signature counts so long before and after its time, in milliseconds. */
const WINDOW_MS = 300_000
const MOST_IN_MINUTE = 60
const MINUTE_MS = 60_000
/** An address that is not known may have been made at another process: the store is asked, but not more often than this. */
const ASK_AGAIN_MS = 1_000
const SOURCE_CHARS = 32

/** Makes them. */
export function createHooks({
  stored,
  triggers,
  clock,
  ids,
  secret,
}: {
  readonly stored: StoredSchedules
  readonly triggers: Triggers
  readonly clock: Clock
  readonly ids: Ids
  /** Of the installation, at least 32 bytes. */
  readonly secret: Uint8Array
}): Hooks {
  /** The signed calls of an address in the minute that began then, by their signatures. */
  const minutes = new Map<string, { readonly from: number; readonly signatures: Set<string> }>()
  let askedAt = Number.NEGATIVE_INFINITY

  async function find(hookId: string): Promise<ScheduleRecord | undefined> {
    const among = () => stored.all().find(({ value }) => value.rule.type === 'hook' && value.hookId === hookId)
    const known = among()
    if (known || clock.monotonicMs() - askedAt < ASK_AGAIN_MS) return known
    askedAt = clock.monotonicMs()
    await stored.refresh()
    return among()
  }

  /** Each signed call once: whoever knows the address alone, or one call, keeps nobody else's from coming through. */
  function count({ hookId, signature }: HookCall): void {
    const now = clock.monotonicMs()
    const before = minutes.get(hookId)
    const minute =
      before === undefined || now - before.from >= MINUTE_MS ? { from: now, signatures: new Set<string>() } : before
    minutes.set(hookId, minute)
    if (minute.signatures.has(signature)) return
    if (minute.signatures.size < MOST_IN_MINUTE) minute.signatures.add(signature)
    else
      throw new RefusedForNowError(
        `A schedule is called at most ${MOST_IN_MINUTE} times a minute`,
        MINUTE_MS - (now - minute.from),
      )
  }

  function secretOf(hookId: string): string {
    return Buffer.from(hkdfSync('sha256', secret, '', `holdfast hook ${hookId}`, 32)).toString('base64url')
  }

  /** The time that was signed. */
  function checkSignature({ hookId, timestamp, signature, body }: HookCall): number {
    const expected = createHmac('sha256', secretOf(hookId)).update(`${timestamp}.`).update(body).digest()
    const given = Buffer.from(/^v1=([0-9a-f]{64})$/.exec(signature)?.[1] ?? '', 'hex')
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new RefusedError(401, 'bad-signature', 'The signature is not that of this body and timestamp')
    const at = /^\d{13}$/.test(timestamp) ? Number(timestamp) : Number.NaN
    if (Number.isNaN(at) || Math.abs(clock.now() - at) > WINDOW_MS)
      throw new RefusedError(401, 'bad-signature', 'The timestamp is no time in milliseconds within 5 minutes of now')
    return at
  }

  return {
    secretOf,
    async receive(call) {
      const { hookId, body } = call
      const found = await find(hookId)
      if (!found) throw new RefusedError(404, 'unknown-schedule', 'There is no such address')
      const at = checkSignature(call)
      count(call)
      const text = body.toString('utf8')
      const cut = text.length > RESOURCE_CHARS ? { cut: true as const } : {}
      const resource = {
        type: 'resource' as const,
        server: 'webhook',
        uri: `hook:${ids.next('request')}`,
        name: found.value.name,
        text: text.slice(0, RESOURCE_CHARS),
        ...cut,
      }
      const source = call.signature.slice('v1='.length, 'v1='.length + SOURCE_CHARS)
      const said = text === '' ? [] : [resource]
      const became = await triggers.fire(found.id, { at, cause: 'hook', source, chain: 0, said }, (value) =>
        value.rule.type === 'hook' && value.hookId === hookId ? value : null,
      )
      if (became === 'known') throw new RefusedError(409, 'conflict', 'This call was received before')
      if (became === 'off') throw new RefusedError(409, 'conflict', 'The schedule is paused')
      if (typeof became === 'object')
        throw new RefusedForNowError(
          `${became.refused}. Nothing of this call is kept: send it again later${became.waitMs > WINDOW_MS ? ', signed anew' : ''}`,
          became.waitMs,
        )
      if (became === 'skipped') throw new RefusedForNowError('Not now: send it again later', MINUTE_MS)
      return became
    },
  }
}
