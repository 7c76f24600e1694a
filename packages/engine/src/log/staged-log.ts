import {
  type Clock,
  type CommandKey,
  type Entry,
  type InTurn,
  type NewEntry,
  overview,
  placeEntry,
} from '@holdfast/conversation'
import type { AppendOptions, AppendResult, LiveLog } from './live-log.ts'
import type { LogStates } from './log-states.ts'
import { readOver } from './read-over.ts'
import { requestState } from './request-state.ts'

/**
 * A log whose appends are put off and written in one: a message with the beginning of its answer. Each is decided on what
 * those before it left, and none of it is seen by others until it is durable. [RUN24]
 *
 * It has the turn of its log until it is written: what else wants to write waits for that, at most `STAGE_MS`. From then on
 * it is its log.
 */
export interface StagedLog extends LiveLog {
  /** Writes what was put off, once. @throws as `written` rejects. */
  settle(): Promise<void>
  /** Resolves when what was put off is durable and published; rejects with `NotWrittenError` where none of it was written. */
  readonly written: Promise<void>
}

/** Nothing of what was put off was written, and the log goes on as if it had not been decided. [RUN24] */
export class NotWrittenError extends Error {
  override readonly name = 'NotWrittenError'
  readonly code = 'not-written'
}

/** What was decided, to be written as it is. */
export interface StagedAppend {
  readonly entries: readonly NewEntry[]
  /** The epoch of the run that it begins; null where none has begun. */
  readonly epoch: number | null
  readonly command: CommandKey | null
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

/** What it stands on. */
export interface StageDeps {
  readonly log: LiveLog
  readonly clock: Clock
  /** The turns of the log. */
  readonly inTurn: InTurn
  /** Writes in the turn that the stage has. @throws {NotWrittenError} when the store has written none of it. */
  readonly write: (append: StagedAppend) => Promise<void>
}

/** What is slow holds others back no longer than this, in milliseconds: then what there is is written. */
const STAGE_MS = 20

/** What was decided, with the states of the log as they are when it is written. */
interface Ahead extends LogStates {
  readonly entries: readonly NewEntry[]
  readonly placed: readonly Entry[]
}

/** Asks for the turn of a log, and puts off what is appended until then. */
export function stageOn({ log, clock, inTurn, write }: StageDeps): StagedLog {
  const { conversationId } = log
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const result = Promise.withResolvers<void>()
  const at = clock.now()
  let ahead: Ahead | null = null
  let epoch: number | null = null
  let command: CommandKey | null = null
  let isSettling = false
  // Nobody may be waiting for it: who appends or settles hears of it as well.
  result.promise.catch(() => {})
  void inTurn(() => {
    begun.resolve()
    return ended.promise
  })
  const cancel = clock.after(STAGE_MS, () => void settle().catch(() => {}))

  function settle(): Promise<void> {
    if (!isSettling) void end()
    return result.promise
  }

  async function end(): Promise<void> {
    isSettling = true
    cancel()
    try {
      await begun.promise
      if (ahead !== null) await write({ entries: ahead.entries, epoch, command, at })
      ahead = null
      result.resolve()
    } catch (error) {
      ahead = null
      result.reject(error)
    } finally {
      ended.resolve()
    }
  }

  async function append(options: AppendOptions, decide: Parameters<LiveLog['append']>[1]): Promise<AppendResult> {
    await begun.promise
    const needsItsOwn =
      options.dropDraft !== null || options.givesBack !== undefined || (options.command !== null && ahead !== null)
    if (isSettling || needsItsOwn) {
      await settle()
      return log.append(options, decide)
    }
    const known = ahead ?? { state: log.overview(), requests: log.requestState(), entries: [], placed: [] }
    const entries = decide(known.state)
    if (entries.length === 0) return { entries: [], repeated: false }
    const placed = entries.map((entry, index) =>
      placeEntry(entry, { conversationId, seq: known.state.head + 1 + index, at }),
    )
    ahead = {
      state: overview.reduce(known.state, placed),
      requests: requestState.reduce(known.requests, placed),
      entries: [...known.entries, ...entries],
      placed: [...known.placed, ...placed],
    }
    epoch = options.epoch ?? epoch
    command = options.command ?? command
    return { entries: placed, repeated: false }
  }

  return {
    conversationId,
    overview: () => ahead?.state ?? log.overview(),
    requestState: () => ahead?.requests ?? log.requestState(),
    append,
    read(query) {
      if (ahead === null) return log.read(query)
      return readOver(log, { head: log.overview().head, entries: ahead.placed })(query)
    },
    async refresh() {
      await settle()
      await log.refresh()
    },
    settle,
    written: result.promise,
  }
}
