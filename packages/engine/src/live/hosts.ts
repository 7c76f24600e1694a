import type { CommandKey } from '@holdfast/conversation'
import type { HostLog } from '../log/host-log.ts'
import type { StagedLog } from '../log/staged-log.ts'
import type { OpenDraft } from './open-draft.ts'
import type { RunAtWork } from './run-at-work.ts'

/** A run of this process and the ways to end it. */
export interface LiveRun {
  readonly runId: string
  /** Whether it stands in the log. What stood there and is gone was ended by another owner. */
  begun: boolean
  /** Ends the run: nothing more is asked or started. */
  readonly stop: AbortController
  /** Ends the wait for what it asked. [STOP10] */
  readonly cut: AbortController
  /** What it works with; null before it works. */
  atWork: RunAtWork | null
}

/** The place in this process where a conversation is live. */
export interface Host {
  readonly log: HostLog
  /** Whether somebody answers its inputs. */
  working: boolean
  /** Whether something came while it was at work that its owner may have missed. */
  wanted: boolean
  run: LiveRun | null
  /** The run beside it, such as a title. [RUN2] */
  side: LiveRun | null
  /** An input that came while nothing was at work: it is written with the beginning of its answer. [RUN24] */
  arriving: StagedLog | null
  /** What a person asked for that is no answer, and waits for its turn. */
  askedRun: AskedRun | null
  /** The open step of the run. */
  draft: OpenDraft | null
  /** Tells whoever works that there may be more to do. */
  ring: () => void
  /** Told once, when its log has changed or nobody works here any more. */
  readonly waiting: Set<() => void>
}

/** A checkpoint or a title that a person asked for. [RUN2] */
export interface AskedRun {
  readonly type: 'checkpoint' | 'title'
  readonly runId: string
  /** What the summary is to keep above all; null for nothing in particular. */
  readonly focus: string | null
  /** What asked for it: it is carried out once. [LOG4] */
  readonly command: CommandKey
  /** Resolves with the id of its run when that is in the log, and rejects when there will be none. */
  readonly begun: PromiseWithResolvers<string>
}

/** The conversations that are live in this process: one host each. */
export interface Hosts {
  /** Gives the host to `use`, opening it first when it is not open. */
  use<Result>(conversationId: string, use: (host: Host) => Promise<Result>): Promise<Result>
  /** Keeps a host that is in use until the returned function is called. */
  retain(host: Host): () => void
  find(conversationId: string): Host | null
  all(): Iterable<Host>
  /** Closes a host of which what is known may not hold any more: at once, or when those who use it have done. [RUN22] */
  drop(conversationId: string): void
}

/** What hosts work with. */
export interface HostsDeps {
  readonly openLog: (conversationId: string) => Promise<HostLog>
  /** Told of a host whenever the state of its log has changed. */
  readonly onChange: (host: Host) => void
  /** Whether a host stays open when nobody uses it any more: only where nobody else writes into its log. [RUN20] */
  readonly keepsOpen: boolean
}

/** So many hosts stay open that nobody uses. [RUN21] */
const MOST_RESTING = 500

/** What those hold of their logs at most. [RUN21] */
const MOST_RESTING_BYTES = 32 * 1_024 * 1_024

/** Makes the hosts of one process. */
export function createHosts({ openLog, onChange, keepsOpen }: HostsDeps): Hosts {
  const hosts = new Map<string, Host>()
  const users = new Map<Host, number>()
  const opening = new Map<string, Promise<Host>>()
  const dropped = new WeakSet<Host>()
  let dropCount = 0
  /** Those that nobody uses with their sizes in bytes, least recently used first. */
  const resting = new Map<Host, number>()
  let restingBytes = 0

  /** Opens a host, once for all who ask at the same time. */
  async function open(conversationId: string): Promise<Host> {
    const first = opening.get(conversationId) ?? openLog(conversationId).then(newHost)
    opening.set(conversationId, first)
    const countBefore = dropCount
    try {
      const host = await first
      // What was read may be what is not so any more.
      if (dropCount > countBefore) dropped.add(host)
      const known = hosts.get(conversationId) ?? host
      hosts.set(conversationId, known)
      return known
    } finally {
      opening.delete(conversationId)
    }
  }

  function newHost(log: HostLog): Host {
    const host: Host = {
      log,
      working: false,
      wanted: false,
      run: null,
      side: null,
      arriving: null,
      askedRun: null,
      draft: null,
      ring: () => {},
      waiting: new Set(),
    }
    log.setListener(() => onChange(host))
    return host
  }

  function retain(host: Host): () => void {
    wakeUp(host)
    users.set(host, (users.get(host) ?? 0) + 1)
    return () => {
      const left = (users.get(host) ?? 0) - 1
      users.set(host, left)
      if (left > 0) return
      users.delete(host)
      rest(host)
    }
  }

  function wakeUp(host: Host): void {
    restingBytes -= resting.get(host) ?? 0
    resting.delete(host)
  }

  /** A log that has not begun is not kept: who asks for what is not there would push out what is. */
  function rest(host: Host): void {
    if (!keepsOpen || dropped.has(host) || host.log.overview().head === 0) {
      close(host)
      return
    }
    const bytes = host.log.rest()
    resting.set(host, bytes)
    restingBytes += bytes
    for (const oldest of resting.keys()) {
      if (resting.size <= MOST_RESTING && restingBytes <= MOST_RESTING_BYTES) return
      close(oldest)
    }
  }

  function close(host: Host): void {
    wakeUp(host)
    hosts.delete(host.log.conversationId)
  }

  return {
    async use(conversationId, use) {
      const host = hosts.get(conversationId) ?? (await open(conversationId))
      const release = retain(host)
      try {
        return await use(host)
      } finally {
        release()
      }
    },
    retain,
    find: (conversationId) => hosts.get(conversationId) ?? null,
    all: () => hosts.values(),
    drop(conversationId) {
      dropCount += 1
      const host = hosts.get(conversationId)
      if (!host) return
      if (resting.has(host)) close(host)
      else dropped.add(host)
    },
  }
}
