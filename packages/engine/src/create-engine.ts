import { isParked, type Lease } from '@holdfast/conversation'
import { answerPermission } from './answer-permission.ts'
import { changeSettings, revokeRule } from './change-settings.ts'
import { admit, conversationIdOf, create, requestStop } from './commands.ts'
import { createDraftWriter } from './draft-writer.ts'
import type { ConversationCommand, Engine } from './engine.ts'
import { createHosts, type Host } from './hosts.ts'
import { keepLease } from './keep-lease.ts'
import { type LiveLog, openLiveLog } from './live-log.ts'
import { nextInput, nextUnlock } from './next-input.ts'
import { createPathReader } from './path-reader.ts'
import { type EnginePorts, LIMITS } from './ports.ts'
import { changeInput, holdQueue, releaseQueue, removeInput, sendInputNow } from './queue-commands.ts'
import { closeOpenRuns } from './recover.ts'
import { runTurn } from './run-turn.ts'

/** What is wrong that nobody asked about: a run that a lost store or a defect ended. */
export interface EngineOptions {
  readonly onFault: (fault: { readonly conversationId: string | null; readonly error: unknown }) => void
}

/** Makes the engine of one process. */
export function createEngine(ports: EnginePorts, options: EngineOptions): Engine {
  const { store, clock, ids } = ports
  const writer = createDraftWriter(store, clock)
  const hosts = createHosts((conversationId) => openLiveLog(ports, conversationId), obeyStop)
  const work = new Set<Promise<void>>()
  const unlocks = new Map<string, () => void>()
  let cancelSweep = (): void => {}
  let closing = false

  /** Carries out a command, then does what the log says now: stop, or answer what waits. */
  function command<Answer>(
    { conversationId }: ConversationCommand,
    carryOut: (host: Host) => Promise<Answer>,
  ): Promise<Answer> {
    return hosts.use(conversationId, async (host) => {
      const answer = await carryOut(host)
      wake(host)
      return answer
    })
  }

  /** A stop that is in the log ends the run here, whoever wrote it. [STOP1] */
  function obeyStop({ log, run }: Host): void {
    const open = log.overview().runState.exclusive
    if (!run || open?.runId !== run.runId) return
    if (open.stopRequestedAt !== null) run.stop.abort()
    if (open.forced) run.cut.abort()
  }

  /** Starts to work on what waits, unless that is being done. The caller is a user of the host. */
  function wake(host: Host): void {
    if (host.working || closing) return
    awaitUnlock(host)
    if (!hasWork(host)) return
    const { conversationId } = host.log
    host.working = true
    const release = hosts.retain(host)
    const working = workWhileOwner(host).then(
      (owned) => {
        host.working = false
        // What came while the lease was given back found the host at work. Another owner sees it by itself.
        if (owned) wake(host)
      },
      (error: unknown) => {
        host.working = false
        options.onFault({ conversationId, error })
      },
    )
    const done = working.finally(() => {
      work.delete(done)
      release()
    })
    work.add(done)
  }

  /** Whether there is an input to answer, or a run to go on with. A parked run waits for its person. [RUN4] */
  function hasWork({ log }: Host): boolean {
    const state = log.overview()
    const { exclusive } = state.runState
    return exclusive ? !isParked(exclusive) : nextInput(state, clock.now()) !== null
  }

  /** An input that somebody began to edit and left is sent when its lock ends. [STOP9] */
  function awaitUnlock({ log: { conversationId, overview } }: Host): void {
    unlocks.get(conversationId)?.()
    unlocks.delete(conversationId)
    const at = nextUnlock(overview(), clock.now())
    if (at === null) return
    const cancel = clock.after(at - clock.now(), () => {
      unlocks.delete(conversationId)
      background(
        conversationId,
        hosts.use(conversationId, async (host) => wake(host)),
      )
    })
    unlocks.set(conversationId, cancel)
  }

  /**
   * Answers inputs one after the other for as long as this process holds the lease. [RUN2]
   *
   * @returns false when another holds it.
   */
  async function workWhileOwner(host: Host): Promise<boolean> {
    const { log } = host
    const { conversationId } = log
    const lease = await store.acquireLease({ conversationId, holder: ports.holder, ttlMs: LIMITS.leaseTtlMs })
    if (!lease) return false
    const letGo = keepLease(ports, lease, () => host.run?.stop.abort())
    const stopPolling = poll(log)
    try {
      await log.refresh()
      await closeOpenRuns(ports, log, lease.epoch)
      while (!closing && hasWork(host)) await turn(host, lease.epoch)
    } finally {
      letGo()
      stopPolling()
    }
    // After a failure the lease runs out by itself: whoever finds it then closes what is open. [RUN4]
    await store.releaseLease(lease)
    // Another replica that wrote while the lease was held left the work to its holder.
    await log.refresh()
    return true
  }

  /** Looks for what other replicas write into the log of a run, until the returned function is called. [STOP2] */
  function poll(log: LiveLog): () => void {
    let ended = false
    let cancel = clock.after(LIMITS.pollMs, look)
    function look(): void {
      const looked = log.refresh().finally(() => {
        if (!ended) cancel = clock.after(LIMITS.pollMs, look)
      })
      background(log.conversationId, looked)
    }
    return () => {
      ended = true
      cancel()
    }
  }

  /** Works on the open run, or on a new one. */
  async function turn(host: Host, epoch: number): Promise<void> {
    const { log } = host
    const runId = log.overview().runState.exclusive?.runId ?? ids.next('run')
    const run = { runId, stop: new AbortController(), cut: new AbortController() }
    host.run = run
    obeyStop(host)
    try {
      await runTurn({
        ports,
        log,
        path: createPathReader(store, log.conversationId),
        writer,
        runId,
        epoch,
        signal: run.stop.signal,
        cut: run.cut.signal,
        onDraft: (draft) => {
          host.draft = draft
        },
        onFault: (error) => options.onFault({ conversationId: log.conversationId, error }),
      })
    } finally {
      host.run = null
      host.draft = null
    }
  }

  async function recoverAll(): Promise<void> {
    for (const lease of await store.expiredLeases(100)) await recover(lease)
  }

  /** Takes over a conversation whose owner is gone, and closes what it left open. [RUN4] */
  async function recover({ conversationId }: Lease): Promise<void> {
    const lease = await store.acquireLease({ conversationId, holder: ports.holder, ttlMs: LIMITS.leaseTtlMs })
    if (!lease) return
    await hosts.use(conversationId, async (host) => {
      await host.log.refresh()
      await closeOpenRuns(ports, host.log, lease.epoch)
      await store.releaseLease(lease)
      wake(host)
    })
  }

  /** A run whose owner is gone is closed within a lease's time, by whoever looks first. */
  function scheduleSweep(): void {
    cancelSweep = clock.after(LIMITS.leaseTtlMs / 2, () => {
      background(
        null,
        recoverAll().finally(() => (closing ? undefined : scheduleSweep())),
      )
    })
  }

  /** Work that nobody waits for; the end of the process does. */
  function background(conversationId: string | null, started: Promise<void>): void {
    const done = started
      .catch((error: unknown) => options.onFault({ conversationId, error }))
      .finally(() => work.delete(done))
    work.add(done)
  }

  return {
    async createConversation(asked) {
      const conversationId = conversationIdOf(ports, asked)
      await hosts.use(conversationId, ({ log }) => create(ports, log, asked))
      return { conversationId }
    },
    sendMessage: (asked) => command(asked, ({ log }) => admit(ports, log, asked)),
    stopRun: (asked) => command(asked, ({ log }) => requestStop(ports, log, asked)),
    changeInput: (asked) => command(asked, ({ log }) => changeInput(ports, log, asked)),
    removeInput: (asked) => command(asked, ({ log }) => removeInput(ports, log, asked)),
    sendInputNow: (asked) => command(asked, ({ log }) => sendInputNow(ports, log, asked)),
    holdQueue: (asked) => command(asked, ({ log }) => holdQueue(ports, log, asked)),
    releaseQueue: (asked) => command(asked, ({ log }) => releaseQueue(ports, log, asked)),
    resume: (conversationId) => hosts.use(conversationId, async (host) => wake(host)),
    answerPermission: (asked) => command(asked, ({ log }) => answerPermission(ports, log, asked)),
    changeSettings: (asked) => command(asked, ({ log }) => changeSettings(ports, log, asked)),
    revokeRule: (asked) => command(asked, ({ log }) => revokeRule(ports, log, asked)),
    openDraft: (conversationId) => hosts.find(conversationId)?.draft ?? null,

    async recover() {
      await recoverAll()
      scheduleSweep()
    },

    async close() {
      closing = true
      cancelSweep()
      for (const cancel of unlocks.values()) cancel()
      for (const host of hosts.all()) host.run?.stop.abort()
      while (work.size > 0) await Promise.all(work)
    },
  }
}
