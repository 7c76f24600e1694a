import type { Append, Appended, EntryStore, Lease } from '@holdfast/conversation'
import type { DurableLook } from '../parts/simulated-machine.ts'
import type { Violate } from './violation.ts'

/** Entries that a replica wrote under an epoch. */
interface Claim {
  readonly replica: string
  readonly epoch: number
  readonly fromSeq: number
}

/** A lease as it was seen last, and when its holder counted as gone then; null for a holder that had not beaten. */
interface SeenLease {
  readonly lease: Lease
  readonly released: boolean
  readonly goneAt: number | null
}

/** Who owns which conversation, as seen from outside. */
export interface OwnerRules {
  /** The store as a replica's engine asks it: what it gives back, and what it is told is written, is seen. */
  witnessed(replica: string, store: EntryStore): EntryStore
  /** A replica is about to say itself that it drains or ends. */
  leaves(replica: string): void
  look(conversationId: string, durable: DurableLook): void
}

/** Checks that an epoch has one owner, that epochs grow along the log, and that nothing is taken from who is alive. [LOG10, SCALE1] */
export function createOwnerRules({
  violate,
  now,
}: {
  readonly violate: Violate
  /** The time of the store, in milliseconds since the Unix epoch. */
  readonly now: () => number
}): OwnerRules {
  const claims = new Map<string, Claim[]>()
  const seen = new Map<string, SeenLease>()
  const givenBack = new Set<string>()
  const leaving = new Set<string>()

  function appended(replica: string, append: Append, { entries, repeated, lease }: Appended): void {
    const epoch = lease?.epoch ?? append.epoch
    const [first] = entries
    if (epoch === undefined || repeated || first === undefined) return
    const claim = { replica, epoch, fromSeq: first.seq }
    const known = claims.get(append.conversationId) ?? []
    for (const other of known) compare(append.conversationId, claim, other)
    claims.set(append.conversationId, [...known, claim])
  }

  function compare(conversationId: string, claim: Claim, other: Claim): void {
    const [first, second] = claim.fromSeq < other.fromSeq ? [claim, other] : [other, claim]
    const words = `${conversationId}: ${first.replica} wrote ${first.fromSeq} under epoch ${first.epoch}, ${second.replica} ${second.fromSeq} under ${second.epoch}`
    if (first.epoch === second.epoch && first.replica !== second.replica) violate('LOG10', words)
    if (first.epoch > second.epoch) violate('LOG10', words)
  }

  /** Of a lease that is taken and given back in one append only the epoch before it is known. */
  function noteRelease({ conversationId, epoch, acquire }: Append): void {
    const last = epoch ?? seen.get(conversationId)?.lease.epoch ?? 0
    givenBack.add(leaseKey(conversationId, last))
    if (acquire) givenBack.add(leaseKey(conversationId, last + 1))
  }

  return {
    witnessed: (replica, store) => ({
      ...store,
      async append(append) {
        if (append.release) noteRelease(append)
        const written = await store.append(append)
        appended(replica, append, written)
        return written
      },
      async releaseLease(lease) {
        const key = leaseKey(lease.conversationId, lease.epoch)
        givenBack.add(key)
        const isOver = await store.releaseLease(lease)
        if (!isOver) givenBack.delete(key)
        return isOver
      },
    }),
    leaves: (replica) => void leaving.add(replica),
    look(conversationId, durable) {
      const found = durable.lease(conversationId)
      if (!found) return
      const before = seen.get(conversationId)
      const { lease, released } = found
      if (before && !before.released && before.lease.holder !== lease.holder) {
        const { holder, epoch } = before.lease
        const isFree = givenBack.has(leaseKey(conversationId, epoch)) || leaving.has(holder)
        if (!isFree && before.goneAt !== null && before.goneAt > now())
          violate('SCALE1', `${conversationId}: ${lease.holder} took epoch ${epoch} from ${holder}, which was alive`)
      }
      seen.set(conversationId, { lease, released, goneAt: durable.replica(lease.holder)?.expiresAt ?? null })
    },
  }
}

function leaseKey(conversationId: string, epoch: number): string {
  return `${conversationId} ${epoch}`
}
