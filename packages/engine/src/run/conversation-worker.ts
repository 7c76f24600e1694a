import { RunActiveError } from '../api/conversation-engine.ts'
import { type EnginePorts, LIMITS } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { createBesides } from '../live/besides.ts'
import type { DraftWriter } from '../live/draft-writer.ts'
import type { AskedRun, Host, Hosts, LiveRun } from '../live/hosts.ts'
import { keepLease } from '../live/keep-lease.ts'
import { pollLog } from '../live/poll-log.ts'
import { type RunAtWork, unseen } from '../live/run-at-work.ts'
import { WORK_OVER } from '../live/work-over.ts'
import type { LiveLog } from '../log/live-log.ts'
import { createPathReader } from '../log/path-reader.ts'
import { NotWrittenError, type StagedLog } from '../log/staged-log.ts'
import { closeOpenRuns } from './recover.ts'
import { runCheckpoint } from './run-checkpoint.ts'
import { isTitleDue, runTitle } from './run-title.ts'
import { runTurn } from './run-turn.ts'
import { stopSubAgent } from './stop-sub-agent.ts'
import { beginTenure } from './tenure.ts'

/** Works on conversations while it holds their leases. */
export interface ConversationWorker {
  /**
   * Answers inputs one after the other for as long as this process holds the lease. [RUN2]
   *
   * Before that it closes what an earlier owner left open, and says so by `onTidy`. [RUN4]
   *
   * @returns false when another holds it.
   */
  work(host: Host, onTidy: () => void): Promise<boolean>
}

/** By which right a run works. */
type Right = Pick<RunAtWork, 'epoch' | 'tenure'>

/** Where a run works. */
interface Place {
  readonly host: Host
  /** Its host's, or the one that its beginning is staged on. */
  readonly log: LiveLog
  readonly right: Right
}

/** What a worker works with. */
export interface WorkerDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  readonly writer: DraftWriter
  readonly hasTurn: (host: Host) => boolean
  /** Whether the process ends: then nothing more begins. */
  readonly isClosing: () => boolean
  /** Works on another conversation; resolves when nothing that an earlier owner left open there is open any more. */
  readonly startWork: (host: Host) => Promise<void>
  /** Runs what nobody waits for; the end of the process does. */
  readonly inBackground: (conversationId: string, started: Promise<void>) => void
  readonly onFault: (fault: { readonly conversationId: string | null; readonly error: unknown }) => void
}

/** Makes the worker of one process. */
export function createWorker({
  ports,
  hosts,
  writer,
  hasTurn,
  isClosing,
  startWork,
  inBackground,
  onFault,
}: WorkerDeps): ConversationWorker {
  const { store, bus, clock, ids, holder, isAlone } = ports

  async function work(host: Host, onTidy: () => void): Promise<boolean> {
    for (;;) {
      const end = await workUnderLease(host, onTidy)
      if (end !== 'more') return end === 'done'
    }
  }

  /** Once from taking the lease to giving it back; `more` where something was written meanwhile that nobody has looked at. */
  async function workUnderLease(host: Host, onTidy: () => void): Promise<'done' | 'more' | 'held-by-another'> {
    const { log } = host
    const { conversationId } = log
    const lease = await store.acquireLease({ conversationId, holder, ttlMs: LIMITS.leaseTtlMs })
    if (!lease) return 'held-by-another'
    const tenure = beginTenure(ports, host)
    const letGo = keepLease(ports, lease, {
      isGivenBack: () => tenure.isGivenBack,
      onLost() {
        for (const live of [host.run, host.side]) live?.stop.abort(WORK_OVER)
      },
    })
    const stopPolling = isAlone ? () => {} : pollLog({ clock, bus, inBackground }, log)
    try {
      await log.hold()
      await closeLeft(log, lease.epoch)
      onTidy()
      await workThrough(host, { epoch: lease.epoch, tenure })
    } finally {
      log.letGo()
      letGo()
      stopPolling()
    }
    // What does not begin here any more is handed over under the lease, so that it never waits without one. [SCALE24]
    if (tenure.isGivenBack || (isClosing() && hasTurn(host))) return 'done'
    // After a failure the lease runs out by itself: whoever finds it then closes what is open. [RUN4]
    const head = isAlone ? {} : { head: log.overview().head }
    // Another replica that wrote while the lease was held left the work to its holder.
    return (await store.releaseLease({ conversationId, epoch: lease.epoch, ...head })) ? 'done' : 'more'
  }

  /**
   * Runs come one after the other; a title stands beside them, and is never in front of an input. One that is asked for
   * begins at once, unless one is being made: then that one ends first. [RUN2]
   */
  async function workThrough(host: Host, right: Right): Promise<void> {
    const { tenure } = right
    let working: Promise<void> | null = null
    const going: { title: Promise<void> | null } = { title: null }
    let titledAfter: string | null = null
    // Where one of the two fails nothing more begins, and what the other does is waited for.
    const failures: unknown[] = []

    function keepTitling(): void {
      titledAfter = lastTurnOf(host)
      going.title = title(host, right)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          going.title = null
        })
    }

    try {
      for (;;) {
        const bell = new Promise<void>((resolve) => {
          host.ring = resolve
        })
        if (failures.length > 0 && working === null) throw failures[0]
        const mayBegin = failures.length === 0 && !isClosing() && !tenure.isGivenBack
        if (mayBegin && going.title === null && host.askedRun?.type === 'title') keepTitling()
        const next: Promise<void> | null = mayBegin && working === null ? nextWork(host, right) : null
        if (next !== null)
          working = next
            .catch((error: unknown) => void failures.push(error))
            .finally(() => {
              working = null
            })
        const atWork = [working, going.title].filter((one) => one !== null)
        if (atWork.length === 0) return
        await Promise.race([...atWork, bell])
        // One of which nothing came is tried again after the next turn and not at once.
        const isDue = working === null && isTitleDue(ports, host.log.overview()) && lastTurnOf(host) !== titledAfter
        if (isDue && going.title === null && failures.length === 0 && !isClosing() && !tenure.isGivenBack) keepTitling()
      }
    } finally {
      host.side?.stop.abort(WORK_OVER)
      await going.title
    }
  }

  /** The input that has just come, the checkpoint that a person asked for, else the turn whose turn it is; null for none. */
  function nextWork(host: Host, right: Right): Promise<void> | null {
    const open = host.log.overview().runState.exclusive
    // Nobody works here: a checkpoint that is open was begun by a write whose answer was lost, and is no turn to go on with. [RUN4]
    if (open !== null && open.purpose !== 'turn') return closeLeft(host.log, right.epoch)
    if (host.arriving !== null) return arrived(host, right, host.arriving)
    if (host.askedRun?.type === 'checkpoint') return checkpoint(host, right, host.askedRun)
    return hasTurn(host) ? turn({ host, log: host.log, right }) : null
  }

  /** The checkpoint that a person asked for. */
  async function checkpoint(host: Host, right: Right, asked: AskedRun): Promise<void> {
    host.askedRun = null
    try {
      await live(host, 'run', asked.runId, (run) => runCheckpoint(atWorkOf({ host, log: host.log, right }, run), asked))
    } catch (error) {
      asked.begun.reject(error)
      if (!(error instanceof RunActiveError)) throw error
    }
  }

  async function title(host: Host, right: Right): Promise<void> {
    const asked = host.askedRun?.type === 'title' ? host.askedRun : null
    if (asked) host.askedRun = null
    try {
      await live(host, 'side', asked?.runId ?? ids.next('run'), (run) =>
        runTitle(unseen(atWorkOf({ host, log: host.log, right }, run)), asked),
      )
    } catch (error) {
      asked?.begun.reject(error)
      throw error
    }
  }

  /** Holds a run at its place in the host for as long as it works; what it began hears of its end, also where it failed. */
  async function live(
    host: Host,
    place: 'run' | 'side',
    runId: string,
    work: (run: LiveRun) => Promise<void>,
  ): Promise<void> {
    const [stop, cut] = [new AbortController(), new AbortController()]
    const run: LiveRun = { runId, begun: false, stop, cut, atWork: null }
    host[place] = run
    try {
      await work(run)
    } finally {
      run.stop.abort(WORK_OVER)
      await run.atWork?.besides.close(0)
      host[place] = null
      if (place === 'run') host.draft = null
    }
  }

  function atWorkOf({ host, log, right }: Place, run: LiveRun): RunAtWork {
    const { conversationId } = log
    const { ownerId } = log.overview()
    if (ownerId === null) throw new UnknownConversationError(conversationId)
    const atWork: RunAtWork = {
      ports,
      log,
      writer,
      ...right,
      path: createPathReader(log, conversationId),
      besides: createBesides(clock),
      runId: run.runId,
      ownerId,
      signal: run.stop.signal,
      cut: run.cut.signal,
      onDraft: (draft) => {
        host.draft = draft
      },
      onFault: (error) => onFault({ conversationId, error }),
    }
    run.atWork = atWork
    return atWork
  }

  /** Closes what an earlier owner left open: what its sub-agents do first. [RUN4, AGENT3] */
  async function closeLeft(log: LiveLog, epoch: number): Promise<void> {
    const run = log.overview().runState.exclusive
    for (const { childConversationId } of run?.openCalls ?? []) {
      if (run && childConversationId !== null)
        await stopSubAgent({ ports, hosts, startWork }, log, {
          conversationId: childConversationId,
          callerRunId: run.runId,
        })
    }
    await closeOpenRuns(ports, log, epoch)
  }

  /** Answers an input that is not written yet, and writes it with all that could be decided at once. [RUN24] */
  async function arrived(host: Host, right: Right, staged: StagedLog): Promise<void> {
    host.arriving = null
    try {
      try {
        await turn({ host, log: staged, right })
      } finally {
        await staged.settle()
      }
    } catch (error) {
      // Whoever sent the input sees to it that it is written, and to the rest the log says what to do.
      if (!(error instanceof NotWrittenError)) throw error
    }
  }

  /** Works on the open run, or on a new one. */
  async function turn(place: Place): Promise<void> {
    const { host, log } = place
    const open = log.overview().runState.exclusive
    await live(host, 'run', open?.runId ?? ids.next('run'), (run) => {
      run.begun = open !== null
      if (open && open.stopRequestedAt !== null) run.stop.abort(WORK_OVER)
      return runTurn(atWorkOf(place, run))
    })
  }

  return { work }
}

/** The turn that ended last. */
function lastTurnOf({ log }: Host): string | null {
  return log.overview().runState.lastTurn?.runId ?? null
}
