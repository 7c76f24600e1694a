import { type Entry, type NewEntry, type Overview, StoreWriteError } from '@holdfast/conversation'
import type { CommandBase, StopAnswer, StopRun } from '../api/engine.ts'
import { type EnginePorts, LIMITS } from '../api/ports.ts'
import type { Host } from '../live/hosts.ts'
import { nextInput } from '../live/next-input.ts'
import { WORK_OVER } from '../live/work-over.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOut } from './carry-out.ts'

/**
 * Asks the exclusive run to stop, else the runs beside it, or, when it has not started yet, holds what is about to. [STOP1]
 *
 * A stop that names a turn that has just ended by itself is one of what has followed it out of the queue: it was pressed
 * before anybody could see the end. [STOP13] A run that is stopping already goes on doing so; a forced stop of it is
 * written down. [STOP10]
 */
export async function requestStop(ports: EnginePorts, log: LiveLog, command: StopRun): Promise<StopAnswer> {
  const { commandId, actor, runId, force } = command
  const now = ports.clock.now()
  let answer: StopAnswer = { runId: null, accepted: false }
  const { entries, repeated } = await carryOut(ports, log, { command, asked: ['stop', runId, force] }, (state) => {
    const run = state.runState.exclusive
    const isMeant = runId === null || hasFollowed(state, runId)
    if (run && (isMeant || runId === run.runId)) {
      answer = { runId: run.runId, accepted: true }
      if (run.stopRequestedAt === null) return [...stopEntries(state, command, 'stop'), ...holdSent(state, command)]
      const isDue = now - run.stopRequestedAt >= LIMITS.forceAfterMs
      // A stop that changes nothing any more is written down too: sent again, it is answered as it was. [LOG4]
      return [{ type: 'stop-requested', actor, commandId, runId: run.runId, mode: force && isDue ? 'force' : 'stop' }]
    }
    const next = isMeant ? nextInput(state, now) : null
    // What was sent after the end of the turn that is named is no part of what was to be stopped.
    const aboutToStart = next !== null && (runId === null || next.seq < (state.queue.following.endSeq ?? 0))
    const side = state.runState.side.filter((one) => runId === null || one.runId === runId)
    answer = { runId: side[0]?.runId ?? null, accepted: aboutToStart || side.length > 0 }
    return [
      ...(aboutToStart ? [{ type: 'queue-held' as const, actor, commandId, reason: 'stopped' as const }] : []),
      // A stop is written of those that are stopping already too, for the same reason.
      ...side.map((one): NewEntry => ({ type: 'stop-requested', actor, commandId, runId: one.runId, mode: 'stop' })),
    ]
  })
  return repeated ? answerOfThen(entries) : answer
}

/**
 * Asks for a stop, and ends what runs here also where that cannot be written down: nothing more is asked or started then,
 * and recovery writes down the end as soon as it can. [STOP14]
 */
export async function stopRun(ports: EnginePorts, { log, run, side }: Host, command: StopRun): Promise<StopAnswer> {
  try {
    return await requestStop(ports, log, command)
  } catch (error) {
    if (error instanceof StoreWriteError) {
      const meant = command.runId === null ? [run ?? side] : [run, side].filter((live) => live?.runId === command.runId)
      for (const live of meant) live?.stop.abort(WORK_OVER)
    }
    throw error
  }
}

/** Whether a turn is the one that runs or ran last, or what runs now came out of the queue behind it. [STOP13] */
function hasFollowed({ queue: { following }, runState: { exclusive } }: Overview, runId: string): boolean {
  if (!following.runIds.includes(runId)) return false
  return exclusive === null || exclusive.runId === following.runIds.at(-1)
}

/** The request that stops the exclusive run; nothing when none runs. */
export function stopEntries(
  state: Overview,
  { actor, commandId }: CommandBase,
  mode: 'stop' | 'force' | 'interrupt',
): NewEntry[] {
  const run = state.runState.exclusive
  if (!run || (run.stopRequestedAt !== null && mode !== 'force')) return []
  return [{ type: 'stop-requested', actor, commandId, runId: run.runId, mode }]
}

/** What was sent after an earlier stop would go on behind this one, as what is sent from now on does. [STOP9, STOP11] */
function holdSent({ queue: { inputs } }: Overview, { actor, commandId }: CommandBase): NewEntry[] {
  if (!inputs.some(({ afterStop }) => afterStop)) return []
  return [{ type: 'queue-held', actor, commandId, reason: 'stopped' }]
}

/** What a stop was answered when it was carried out, by what it left. [LOG4] */
function answerOfThen(entries: readonly Entry[]): StopAnswer {
  const requested = entries.find((entry) => entry.type === 'stop-requested')
  return { runId: requested?.runId ?? null, accepted: entries.length > 0 }
}
