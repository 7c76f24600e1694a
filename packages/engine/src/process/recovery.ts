import { type EnginePorts, LIMITS } from '../api/ports.ts'
import type { Host, Hosts } from '../live/hosts.ts'

/** Looks after what nobody works on and should be worked on. */
export interface Recovery {
  /** Looks now, and from then on again and again. */
  start(): Promise<void>
  stop(): void
  /** Has a conversation looked at again: its work broke off, or what was not acknowledged may be durable all the same. */
  doubt(conversationId: string): void
}

/** What it works with. */
export interface RecoveryDeps {
  readonly ports: Pick<EnginePorts, 'store' | 'clock' | 'beats' | 'isAlone'>
  readonly hosts: Pick<Hosts, 'use' | 'drop'>
  /** Starts to work; resolves when nothing that an earlier owner left open is open any more, or another is the owner. */
  readonly startWork: (host: Host) => Promise<void>
  /** Does what the log says now. */
  readonly wake: (host: Host) => void
  readonly isClosing: () => boolean
  /** Runs what nobody waits for; the end of the process does. */
  readonly inBackground: (started: Promise<void>) => void
  readonly onFault: (fault: { readonly conversationId: string; readonly error: unknown }) => void
}

/** So many conversations are taken over at a time: of many that wait, each replica takes some. [SCALE3] */
const TAKEN_AT_ONCE = 8

/** Where there is no other replica: one sync of the disk takes what is written for all of them. */
const TAKEN_AT_ONCE_ALONE = 32

/** As many of those that wait are asked for. */
const ASKED_AT_ONCE = 100

/** Makes the recovery of one process. */
export function createRecovery(deps: RecoveryDeps): Recovery {
  const { ports, hosts, startWork, wake, isClosing, inBackground, onFault } = deps
  const { store, clock, beats, isAlone } = ports
  const takenAtOnce = isAlone ? TAKEN_AT_ONCE_ALONE : TAKEN_AT_ONCE
  const failed = new Set<string>()
  let looking: Promise<void> | null = null
  let cancelSweep = (): void => {}
  let stopListening = (): void => {}

  async function recoverAll(): Promise<void> {
    await takeOver()
    for (const conversationId of [...failed]) {
      // What breaks off again is back in it before this look ends.
      failed.delete(conversationId)
      const isSeen = await lookAt(conversationId, async (host) => {
        await host.log.refresh()
        wake(host)
        // A lease that the work left behind holds for as long as this process does: it goes back with the next work.
        await take(host)
      })
      if (!isSeen) failed.add(conversationId)
    }
  }

  /** What others have taken meanwhile is not there any more when it is asked again. */
  async function takeOver(): Promise<void> {
    const seen = new Set<string>()
    for (;;) {
      const left = (await store.expiredLeases(ASKED_AT_ONCE)).filter(({ conversationId }) => !seen.has(conversationId))
      if (left.length === 0 || isClosing()) return
      const taken = left.slice(0, takenAtOnce)
      for (const { conversationId } of taken) seen.add(conversationId)
      await Promise.all(taken.map(({ conversationId }) => lookAt(conversationId, take)))
    }
  }

  /** A host that is at work does so by itself: two that hold one lease would give it back under each other. */
  async function take(host: Host): Promise<void> {
    if (!host.working && !isClosing()) await startWork(host)
  }

  /** Looks at one conversation of many: one that cannot be read is told, and the others go on. [LOG7, RUN4] */
  async function lookAt(conversationId: string, look: (host: Host) => Promise<void>): Promise<boolean> {
    try {
      await hosts.use(conversationId, look)
      return true
    } catch (error) {
      onFault({ conversationId, error })
      return false
    }
  }

  /** One look at a time: who asks during one is served by it. */
  function look(): Promise<void> {
    looking ??= recoverAll().finally(() => {
      looking = null
    })
    return looking
  }

  /** A run whose owner is gone is closed within a lease's time, by whoever looks first. */
  function scheduleSweep(): void {
    cancelSweep = clock.after(LIMITS.leaseTtlMs / 2, () => {
      inBackground(look().finally(() => (isClosing() ? undefined : scheduleSweep())))
    })
  }

  return {
    async start() {
      await look()
      if (isClosing()) return
      scheduleSweep()
      stopListening = beats?.onWorkLeft(() => inBackground(look())) ?? stopListening
    },
    stop() {
      cancelSweep()
      stopListening()
    },
    doubt(conversationId) {
      failed.add(conversationId)
      hosts.drop(conversationId)
    },
  }
}
