import type { BlobStore, StoredBytes } from '@holdfast/conversation'
import { inWords, type StorageLimits } from './storage-limits.ts'
import { RefusedError } from './to-problem.ts'

/** Room for what users send: counted while it comes, so that no number of them at once gets past a limit. [SEC16] */
export interface Storage {
  /** @throws {RefusedError} 507, when there is no room for another byte. */
  reserve(userId: string): Promise<Reservation>
  /** Counts what an earlier process took in, whatever the limits say now. */
  reserveKept(userId: string, sizeBytes: number): Pick<Reservation, 'end'>
}

/** What one upload or file has taken so far. */
export interface Reservation {
  /** Counts more bytes before they are written. @throws {RefusedError} 507, when there is no room for them. */
  grow(sizeBytes: number): Promise<void>
  /** What was taken is in the store and counted there, or is gone. */
  end(): void
}

/** What it needs. */
export interface StorageDeps {
  readonly store: Pick<BlobStore, 'storedBytes'>
  readonly limits: StorageLimits
  /** Bytes that are free on the disk of the data folder; null where nobody can say. */
  readonly freeBytes: (() => Promise<number>) | null
}

/** The disk fills by others too: it is asked again after so many bytes. */
const ASK_AGAIN_BYTES = 8 * 1_024 * 1_024

/** Makes the room of one process; each counts what comes in through it, and all what is stored. */
export function createStorage({ store, limits, freeBytes }: StorageDeps): Storage {
  const reserved = new Map<string, number>()
  let reservedInAll = 0

  function count(userId: string, sizeBytes: number): void {
    const ofUser = (reserved.get(userId) ?? 0) + sizeBytes
    if (ofUser === 0) reserved.delete(userId)
    else reserved.set(userId, ofUser)
    reservedInAll += sizeBytes
  }

  async function checkDisk(): Promise<void> {
    if (freeBytes === null) return
    const free = await freeBytes()
    if (free < limits.freeBytes)
      throw full(
        `The disk of the data folder has ${inWords(free)} left, and ${inWords(limits.freeBytes)} stay free. ` +
          'Whoever runs the server has to make room',
      )
  }

  function checkCounts(userId: string, { ofOwner, inAll }: StoredBytes): void {
    if (ofOwner + (reserved.get(userId) ?? 0) > limits.userBytes)
      throw full(
        `Your files may take ${inWords(limits.userBytes)} in all. Delete conversations that you do not need; ` +
          'what was uploaded and never sent goes after a day',
      )
    if (inAll + reservedInAll > limits.allBytes)
      throw full(
        `The files of all users may take ${inWords(limits.allBytes)}. Whoever runs the server has to raise that or make room`,
      )
  }

  function reservationOf(userId: string, stored: StoredBytes): Reservation {
    let takenBytes = 0
    let askedAtBytes = 0
    return {
      async grow(sizeBytes) {
        count(userId, sizeBytes)
        takenBytes += sizeBytes
        checkCounts(userId, stored)
        if (takenBytes - askedAtBytes < ASK_AGAIN_BYTES) return
        askedAtBytes = takenBytes
        await checkDisk()
      },
      end() {
        count(userId, -takenBytes)
        takenBytes = 0
      },
    }
  }

  return {
    async reserve(userId) {
      await checkDisk()
      const stored = await store.storedBytes(userId)
      const reservation = reservationOf(userId, stored)
      checkCounts(userId, { ofOwner: stored.ofOwner + 1, inAll: stored.inAll + 1 })
      return reservation
    },
    reserveKept(userId, sizeBytes) {
      count(userId, sizeBytes)
      return { end: () => count(userId, -sizeBytes) }
    },
  }
}

/** The content, counted before it is given on. */
export async function* countedBy(
  reservation: Reservation,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    await reservation.grow(piece.length)
    yield piece
  }
}

function full(words: string): RefusedError {
  return new RefusedError(507, 'storage-full', words)
}
