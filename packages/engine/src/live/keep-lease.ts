import type { Lease } from '@holdfast/conversation'
import { type EnginePorts, LIMITS } from '../api/ports.ts'

/** What else becomes of a lease that is kept. */
interface KeptLease {
  /** Whether it goes back: renewed after that, it would be taken anew. */
  readonly isGivenBack: () => boolean
  readonly onLost: () => void
}

/**
 * Renews a lease until the returned function is called. A lease that another took is told once; one that
 * cannot be renewed now is tried again. [LOG10]
 */
export function keepLease({ store, clock }: EnginePorts, lease: Lease, { isGivenBack, onLost }: KeptLease): () => void {
  const { conversationId, holder, epoch } = lease
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
