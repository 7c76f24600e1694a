import type { Lease } from '@holdfast/conversation'
import { type EnginePorts, LIMITS } from '../api/ports.ts'

/** What else becomes of a lease that is kept. */
interface KeptLease {
  /** Whether it goes back: renewed after that, it would be taken anew. */
  readonly isGivenBack: () => boolean
  readonly onLost: () => void
}

/**
 * Keeps a lease until the returned function is called: by renewing it, or by the beats of this process [SCALE1]. One that
 * another took is told. [LOG10]
 */
export function keepLease(
  { store, clock, beats }: Pick<EnginePorts, 'store' | 'clock' | 'beats'>,
  lease: Lease,
  kept: KeptLease,
): () => void {
  const { conversationId, epoch } = lease
  if (!beats) return renewLease({ store, clock }, lease, kept)
  return beats.onReturn((held) => {
    if (!kept.isGivenBack() && held.get(conversationId) !== epoch) kept.onLost()
  })
}

/** Renews a lease until the returned function is called. One that cannot be renewed now is tried again. */
function renewLease(
  { store, clock }: Pick<EnginePorts, 'store' | 'clock'>,
  { conversationId, holder, epoch }: Lease,
  { isGivenBack, onLost }: KeptLease,
): () => void {
  let ended = false
  let cancel = clock.after(LIMITS.leaseTtlMs / 3, renew)

  function renew(): void {
    if (isGivenBack()) {
      again()
      return
    }
    store.acquireLease({ conversationId, holder, ttlMs: LIMITS.leaseTtlMs }).then(
      (renewed) => {
        if (ended) return
        if (renewed?.epoch === epoch) again()
        else onLost()
      },
      () => {
        if (!ended) again()
      },
    )
  }

  function again(): void {
    cancel = clock.after(LIMITS.leaseTtlMs / 3, renew)
  }

  return () => {
    ended = true
    cancel()
  }
}
