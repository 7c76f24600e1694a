import type { Clock, ReplicaBeat, ReplicaStore } from '@holdfast/conversation'
import type { Beats, HeldEpochs } from '../api/beats.ts'

/** This process among those that share a store. */
export interface OwnReplica extends Beats {
  /** Beats, and from then on again and again. @throws what the store does where it does not take the first beat. */
  start(): Promise<void>
  /** Says that nothing new begins here. What is held now is held for `ttlMs`, unless it is given back or handed over before. */
  drain(ttlMs: number): Promise<void>
  /** Beats no more, and leaves to the others what is still held. A process that never began says nothing. */
  leave(): Promise<void>
}

/** What it is made of. */
export interface OwnReplicaDeps {
  readonly replicas: ReplicaStore
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>
  /** What it says of itself, asked before each beat. */
  readonly self: () => Omit<ReplicaBeat, 'ttlMs'>
  /** Between two beats, in milliseconds. */
  readonly beatMs: number
  /** How long it counts as alive without one, in milliseconds. */
  readonly expiryMs: number
  /** Told of a beat that the store did not take; once until one is taken again. Each is tried. */
  readonly onFault: (error: unknown) => void
}

/** More leases than a process works under. */
const MOST_HELD = 1_000_000

/** Makes the replica of this process; it is not alive before `start`. [SCALE1] */
export function createOwnReplica({ replicas, clock, self, beatMs, expiryMs, onFault }: OwnReplicaDeps): OwnReplica {
  const onReturn = new Set<(held: HeldEpochs) => void>()
  const onWorkLeft = new Set<() => void>()
  const { replicaId } = self()
  /** When the last beat that was taken began, by this process's own time. */
  let aliveAt: number | null = null
  /** Whether it may have counted as gone, and nobody was told yet. */
  let wasGone = false
  let isFailing = false
  let isOver = false
  let cancel = (): void => {}
  let beating: Promise<void> = Promise.resolve()

  /** That it stood still a process sees by its own time too, whatever the store has noticed. [SCALE5] */
  async function beat(): Promise<void> {
    const askedAt = clock.monotonicMs()
    const { wasAlive, isWorkLeft } = await replicas.beat({ ...self(), ttlMs: expiryMs })
    wasGone ||= aliveAt !== null && (!wasAlive || askedAt - aliveAt > expiryMs)
    aliveAt = askedAt
    if (wasGone) await tellHeld()
    if (isWorkLeft) for (const listener of onWorkLeft) listener()
  }

  async function tellHeld(): Promise<void> {
    const listeners = [...onReturn]
    const leases = await replicas.leasesOf({ replicaId, limit: MOST_HELD })
    wasGone = false
    const held = new Map(leases.map(({ conversationId, epoch }) => [conversationId, epoch]))
    for (const listener of listeners) listener(held)
  }

  function plan(): void {
    cancel = clock.after(beatMs, () => {
      beating = beatAgain()
    })
  }

  async function beatAgain(): Promise<void> {
    try {
      await beat()
      isFailing = false
    } catch (error) {
      if (!isFailing) onFault(error)
      isFailing = true
    }
    if (!isOver) plan()
  }

  return {
    async start() {
      await beat()
      plan()
    },
    drain: (ttlMs) => replicas.drain({ replicaId, ttlMs }),
    async leave() {
      isOver = true
      cancel()
      await beating
      if (aliveAt !== null) await replicas.leave(replicaId)
    },
    onReturn: (listener) => listen(onReturn, listener),
    onWorkLeft: (listener) => listen(onWorkLeft, listener),
  }
}

function listen<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
