import { randomBytes } from 'node:crypto'
import { allRecords, type Clock, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import { encryptMessage } from './encrypt-message.ts'
import { isPushService } from './push-services.ts'

const Device = z.object({
  userId: z.string(),
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  /** What it was told of, as far as that is still to be seen: by whichever process, once. [SCHED26] */
  told: z.array(z.string()),
})
/** A browser that is told what happens while no page is open. */
export type PushDevice = z.infer<typeof Device>

const DEVICE: RecordKind<PushDevice> = { kind: 'push-device', schema: Device }

/** A device with its id and revision. */
export interface KnownDevice {
  readonly id: string
  readonly revision: number
  readonly value: PushDevice
}

/** The browsers of people that are told what happens while no page is open. */
export interface PushDevices {
  all(): Promise<readonly KnownDevice[]>
  of(userId: string): Promise<readonly KnownDevice[]>
  /** @throws {RefusedError} for an address that is none of a service, keys that are none, and one too many. */
  add(device: PushDevice): Promise<void>
  /** False for one that was not there. */
  remove(userId: string, endpoint: string): Promise<boolean>
  /** Writes what one was told. False where another process was faster: nothing was written. */
  tell(device: KnownDevice, told: readonly string[]): Promise<boolean>
}

const MOST_OF_ONE = 20
/** All stand together: one question to the store says whether there is anybody to be told. */
const SHELF = 'installation'

/** Keeps them in the records. */
export function createPushDevices(deps: {
  readonly records: Records
  readonly clock: Clock
  readonly sha256: (text: string) => string
  /** Where messages may go. */
  readonly services: readonly string[]
}): PushDevices {
  const { records, clock, services } = deps
  const idOf = (userId: string, endpoint: string): string => deps.sha256(`${userId} ${endpoint}`).slice(0, 32)
  const all = (): Promise<readonly KnownDevice[]> => allRecords(records, DEVICE, SHELF)
  const of = async (userId: string): Promise<readonly KnownDevice[]> =>
    (await all()).filter(({ value }) => value.userId === userId)
  const known = (userId: string, endpoint: string): Promise<KnownDevice | null> =>
    records.get(DEVICE, { ownerId: SHELF, id: idOf(userId, endpoint) })

  return {
    all,
    of,
    async add({ userId, endpoint, keys, told }) {
      if (!isPushService(services, endpoint))
        throw new RefusedError(422, 'bad-request', 'This address is of no push service that this server sends to')
      checkKeys(keys)
      const before = await known(userId, endpoint)
      if (before === null && (await of(userId)).length >= MOST_OF_ONE)
        throw new RefusedError(422, 'too-large', `${MOST_OF_ONE} browsers are told already; turn it off in one first`)
      const value = { userId, endpoint, keys, told: [...told] }
      const place = { ownerId: SHELF, id: idOf(userId, endpoint), revision: before?.revision ?? 0 }
      await records.put(DEVICE, { ...place, value, at: clock.now() })
    },
    async remove(userId, endpoint) {
      const found = await known(userId, endpoint)
      if (found === null) return false
      return unlessFaster(records.remove(DEVICE, { ownerId: SHELF, id: found.id, revision: found.revision }))
    },
    tell: ({ id, revision, value }, told) =>
      unlessFaster(
        records.put(DEVICE, { ownerId: SHELF, id, revision, value: { ...value, told: [...told] }, at: clock.now() }),
      ),
  }
}

async function unlessFaster(act: Promise<unknown>): Promise<boolean> {
  try {
    await act
    return true
  } catch (error) {
    if (error instanceof RevisionConflictError) return false
    throw error
  }
}

/** @throws {RefusedError} by what would be done with them. */
function checkKeys(keys: PushDevice['keys']): void {
  try {
    if (Buffer.from(keys.auth, 'base64url').length !== 16) throw new RangeError('auth is 16 bytes')
    encryptMessage('', keys, { salt: randomBytes(16), privateKey: Buffer.alloc(32, 1) })
  } catch {
    throw new RefusedError(422, 'bad-request', 'These are no keys of a push subscription')
  }
}
