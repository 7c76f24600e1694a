import type { Clock, Random } from '@holdfast/conversation'
import type { Engine } from '@holdfast/engine'
import type { BackgroundWork } from './background-work.ts'
import { unlessClaimed } from './claims.ts'
import type { OpenRuns } from './open-runs.ts'

/** Watches the runs that are open in one process. [SCHED9] */
export interface OpenRunWatch {
  /** Something ended in a conversation: what became of the runs of schedules there is seen. */
  ended(conversationId: string): void
  /** Looks at all now. */
  look(): void
  /** Sets the timer to the next look, where something is open. */
  plan(): void
  close(): void
}

/** What is open is looked at so often, for an end that nobody told of, or a process that died before it began. */
const HEAL_MS = 15_000

/** Makes the watch of a process. */
export function createOpenRunWatch({
  openRuns,
  settleOpen,
  engine,
  clock,
  random,
  work,
}: {
  readonly openRuns: OpenRuns
  readonly settleOpen: (scheduleId: string) => Promise<void>
  readonly engine: Pick<Engine, 'resume'>
  readonly clock: Clock
  readonly random: Random
  readonly work: BackgroundWork
}): OpenRunWatch {
  let cancel: (() => void) | null = null
  let isClosed = false

  async function settleIn(conversationId: string): Promise<void> {
    for (const id of openRuns.all().get(conversationId) ?? []) await unlessClaimed(settleOpen(id))
  }

  /** A process may have died between the claim and the run, or before it saw the end. */
  async function heal(): Promise<void> {
    for (const conversationId of openRuns.all().keys()) {
      if (isClosed) return
      await settleIn(conversationId)
      if (openRuns.isOpen(conversationId)) await engine.resume(conversationId)
    }
  }

  function look(): void {
    work.add(heal().finally(plan))
  }

  function plan(): void {
    if (isClosed || openRuns.all().size === 0) {
      cancel?.()
      cancel = null
    } else
      cancel ??= clock.after(HEAL_MS * (0.7 + 0.6 * random.next()), () => {
        cancel = null
        look()
      })
  }

  return {
    ended(conversationId) {
      if (!isClosed && openRuns.all().has(conversationId)) work.add(settleIn(conversationId))
    },
    look,
    plan,
    close() {
      isClosed = true
      cancel?.()
    },
  }
}
