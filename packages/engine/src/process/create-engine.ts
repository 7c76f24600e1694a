import { isParked, type Overview, StoreWriteError } from '@holdfast/conversation'
import { checkRules } from '@holdfast/tool'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { ConversationCommand, Engine } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { passRequest } from '../calls/pass-request.ts'
import { createCommands } from '../commands/create-commands.ts'
import { conversationIdOf } from '../commands/create-conversation.ts'
import { decideChanges } from '../commands/review-changes.ts'
import { createDraftWriter } from '../live/draft-writer.ts'
import { createHosts, type Host } from '../live/hosts.ts'
import { nextInput, nextUnlock } from '../live/next-input.ts'
import { tellWaiting } from '../live/until-over.ts'
import { WORK_OVER } from '../live/work-over.ts'
import type { BegunDecision } from '../log/begun-decisions.ts'
import { type HostLog, openHostLog } from '../log/host-log.ts'
import type { LiveLog } from '../log/live-log.ts'
import { NotWrittenError } from '../log/staged-log.ts'
import { createPreviews } from '../preview/create-previews.ts'
import { createKnownContexts } from '../preview/known-contexts.ts'
import { createWorker } from '../run/conversation-worker.ts'
import { finishDecisions } from './finish-decisions.ts'
import { createRecovery } from './recovery.ts'

/** What is wrong that nobody asked about: a run that a lost store or a defect ended. */
export interface FaultOptions {
  readonly onFault: (fault: { readonly conversationId: string | null; readonly error: unknown }) => void
}

/**
 * Makes the engine of one process on the given ports.
 *
 * @throws {MalformedRuleError} for a rule of the operator with a field or a word that does not exist. [PERM10]
 */
export function createEngineOn(ports: EnginePorts, options: FaultOptions): Engine {
  checkRules(ports.permissions.rules)
  checkRules(ports.permissions.hardDenials)
  const { store, clock } = ports
  const writer = createDraftWriter(ports, options.onFault)
  const hosts = createHosts({ openLog, onChange, keepsOpen: ports.isAlone === true })
  const worker = createWorker({
    ports,
    hosts,
    writer,
    hasTurn,
    isClosing: () => closing,
    startWork,
    inBackground: background,
    onFault: options.onFault,
  })
  const recovery = createRecovery({
    ports,
    hosts,
    startWork,
    wake,
    isClosing: () => closing,
    inBackground: (started) => background(null, started),
    onFault: options.onFault,
  })
  const work = new Set<Promise<void>>()
  const unlocks = new Map<string, () => void>()
  let closing = false

  function openLog(conversationId: string): Promise<HostLog> {
    const onFault = (error: unknown): void => options.onFault({ conversationId, error })
    return openHostLog({ ports, hasWork: isToDo, onFault }, conversationId)
  }

  /** Carries out a command, then does what the log says now: stop, or answer what waits. */
  function command<Answer>(
    { conversationId }: Pick<ConversationCommand, 'conversationId'>,
    carryOut: (host: Host) => Promise<Answer>,
  ): Promise<Answer> {
    return hosts.use(conversationId, async (host) => {
      try {
        const answer = await carryOut(host)
        wake(host)
        return answer
      } catch (error) {
        if (error instanceof StoreWriteError) recovery.doubt(conversationId)
        throw error
      }
    })
  }

  /**
   * Carries out a command that brings an input. Where nothing is at work its answer begins in the same append: what can be
   * decided at once is decided before anything is written. [RUN24]
   */
  async function begin<Answer>(host: Host, carryOut: (log: LiveLog) => Promise<Answer>): Promise<Answer> {
    const staged = isAtRest(host) ? host.log.stage() : null
    if (staged === null) return carryOut(host.log)
    host.arriving = staged
    void startWork(host)
    try {
      const answer = await carryOut(staged)
      await staged.written
      return answer
    } catch (error) {
      if (error instanceof NotWrittenError) return carryOut(host.log)
      throw error
    }
  }

  /** Whether an input that comes now is answered at once. */
  function isAtRest(host: Host): boolean {
    const { head, runState, queue } = host.log.overview()
    const isQuiet = runState.exclusive === null && runState.side.length === 0 && queue.inputs.length === 0
    return isQuiet && head > 0 && !host.working && !hasWork(host) && !closing
  }

  /** What another replica wrote is done here too, where a title alone is at work: nobody else tells of it. [SCALE2, RUN2] */
  function onChange(host: Host): void {
    obeyStop(host)
    tellWaiting(host)
    if (host.working && host.run === null) host.ring()
  }

  /** A stop that is in the log ends the run here, whoever wrote it; and so does the end of the run. [STOP1, STOP4] */
  function obeyStop({ log, run, side }: Host): void {
    const { runState } = log.overview()
    for (const live of [run, side]) {
      const open = [runState.exclusive, ...runState.side].find((known) => known?.runId === live?.runId)
      if (!live) continue
      if (!open) {
        if (live.begun) live.stop.abort(WORK_OVER)
        continue
      }
      live.begun = true
      if (open.stopRequestedAt !== null) live.stop.abort(WORK_OVER)
      if (open.forced) live.cut.abort(WORK_OVER)
    }
  }

  /** What cannot be done here is said to whoever asked for it. */
  function refuseAsked(host: Host): void {
    const { askedRun, log } = host
    host.askedRun = null
    askedRun?.begun.reject(new RunActiveError(log.conversationId, log.overview().runState.exclusive?.runId ?? null))
  }

  /** Starts to work on what waits, unless that is being done. The caller is a user of the host. */
  function wake(host: Host): void {
    host.ring()
    if (host.working) {
      host.wanted = true
      return
    }
    if (closing) {
      refuseAsked(host)
      if (hasTurn(host) || host.log.isTaken()) background(host.log.conversationId, handOver(host.log.conversationId))
      return
    }
    awaitUnlock(host)
    if (hasWork(host) || host.log.isTaken()) void startWork(host)
  }

  /** What a process that ends has acknowledged and does not begin: a lease that has run out shows it to the others. [RUN4] */
  async function handOver(conversationId: string): Promise<void> {
    await store.acquireLease({ conversationId, holder: ports.holder, ttlMs: 0 })
  }

  /** Starts to work; resolves when nothing that an earlier owner left open is open any more, or another is the owner. */
  function startWork(host: Host): Promise<void> {
    const { conversationId } = host.log
    const tidy = Promise.withResolvers<void>()
    host.working = true
    host.wanted = false
    const release = hosts.retain(host)
    const working = worker.work(host, tidy.resolve).then(
      (owned) => {
        host.working = false
        if (!owned) refuseAsked(host)
        writeArrived(host)
        // What came while the lease was given back found the host at work. Another owner sees by itself what was
        // there when it was asked for the lease, and not what came while its refusal was on the way.
        if (owned || host.wanted) wake(host)
      },
      (error: unknown) => {
        host.working = false
        recovery.doubt(conversationId)
        refuseAsked(host)
        writeArrived(host)
        options.onFault({ conversationId, error })
      },
    )
    const done = working.finally(() => {
      work.delete(done)
      release()
      tidy.resolve()
      tellWaiting(host)
    })
    work.add(done)
    return tidy.promise
  }

  /** An input that nobody here begins to answer is written alone; whoever sent it hears what became of it. */
  function writeArrived(host: Host): void {
    host.arriving?.settle().catch(() => {})
    host.arriving = null
  }

  function hasWork(host: Host): boolean {
    return host.askedRun !== null || hasTurn(host)
  }

  /** Whether there is an input to answer, or a run to go on with. A parked run waits for its person. [RUN4] */
  function hasTurn({ log }: Host): boolean {
    return isToDo(log.overview())
  }

  function isToDo(state: Overview): boolean {
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

  /** Nothing begins any more. An input whose lock would have ended here is looked after by another. [STOP9, SCALE6] */
  function beginEnd(): void {
    if (closing) return
    closing = true
    recovery.stop()
    for (const [conversationId, cancel] of unlocks) {
      cancel()
      background(conversationId, handOver(conversationId))
    }
    unlocks.clear()
  }

  async function untilDone(): Promise<void> {
    while (work.size > 0) await Promise.all(work)
  }

  /** Work that nobody waits for; the end of the process does. */
  function background(conversationId: string | null, started: Promise<void>): void {
    const done = started
      .catch((error: unknown) => options.onFault({ conversationId, error }))
      .finally(() => work.delete(done))
    work.add(done)
  }

  function finishBegun(): Promise<void> {
    const decide = (begun: BegunDecision) => command(begun.command, ({ log }) => decideChanges(ports, log, begun))
    return finishDecisions({ ports, decide, onFault: options.onFault })
  }

  const contexts = createKnownContexts(ports.clock)
  return {
    ...createCommands({ ports, hosts, command, begin, wake, forgetContext: contexts.forget }),
    ...createPreviews({ ports, hosts, contexts }),
    modelChosenIn: (conversationId) => hosts.find(conversationId)?.log.overview().settings.modelId ?? null,
    passRequest: (request) => passRequest(hosts.find(request.conversationId)?.run?.atWork ?? null, request),
    conversationIdFor: (ownerId, commandId) => conversationIdOf(ports, { ownerId, commandId }),
    resume: (conversationId) => hosts.use(conversationId, async (host) => wake(host)),
    openDraft: (conversationId) => hosts.find(conversationId)?.draft?.now() ?? null,
    openRunCount: () => [...hosts.all()].flatMap(({ run, side }) => [run, side]).filter((live) => live !== null).length,
    // Elsewhere a conversation may be deleted, and another begun under its id.
    knownOwner: (conversationId) =>
      ports.isAlone ? (hosts.find(conversationId)?.log.overview().ownerId ?? null) : null,
    forgetLog: hosts.drop,

    async recover() {
      // A run that was cut holds some of them up until it is closed.
      await finishBegun()
      await recovery.start()
      await finishBegun()
    },

    async drain() {
      beginEnd()
      await untilDone()
    },

    async close() {
      beginEnd()
      for (const { run, side } of hosts.all()) for (const live of [run, side]) live?.stop.abort(WORK_OVER)
      await untilDone()
    },
  }
}
