import { isParked, type OpenRun, type Overview, type Settings } from '@holdfast/conversation'
import type { Ending } from '../api/ending.ts'
import type { EnginePorts } from '../api/ports.ts'
import { settingsOfLog } from '../chosen/settings-in-force.ts'
import { stopEnding } from '../live/stop-ending.ts'
import { usedUp } from '../request/budget.ts'

/**
 * What the run does next: a function of the log, so that a run that was parked goes on as if nothing had
 * happened, here or on another replica. A stop stands before everything. [STOP2, RUN4, RUN8]
 */
export function nextAct(state: Overview, { runId, now, aborted, ports }: Moment): Act {
  const run = state.runState.exclusive
  if (run?.runId !== runId) return { type: 'nothing' }
  if (run.stopRequestedAt !== null) return { type: 'end', ending: stopEnding(state, run) }
  if (isParked(run)) return { type: 'park' }
  if (aborted) return { type: 'end', ending: { outcome: 'interrupted', reason: 'The server was shut down.' } }
  if (run.openCalls.length > 0) return { type: 'call-tools' }
  if (run.retryAt !== null && now < run.retryAt) return { type: 'wait', until: run.retryAt }
  const limit = limitReached(run, state, settingsOfLog(ports, state.settings))
  return limit === null ? { type: 'ask-model' } : { type: 'end', ending: limit }
}

/** What a run does next. */
type Act =
  | { readonly type: 'ask-model' }
  | { readonly type: 'call-tools' }
  /** A failed request is repeated then, in milliseconds since the Unix epoch. [RUN7] */
  | { readonly type: 'wait'; readonly until: number }
  /** Only a person can bring it on: nothing is held meanwhile. [RUN4] */
  | { readonly type: 'park' }
  | { readonly type: 'end'; readonly ending: Ending }
  /** The log has its end. */
  | { readonly type: 'nothing' }

/** What the next act depends on beside the log. */
interface Moment {
  readonly runId: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** Whether this process has to let go of the run. */
  readonly aborted: boolean
  /** What the installation sets; the conversation's own settings, by the log, stand above it. [WIN10] */
  readonly ports: Pick<EnginePorts, 'settings'>
}

/** How the run ends where a limit keeps it from another step; null for none. [RUN8, COST7] */
function limitReached(run: OpenRun, state: Overview, { stepsPerRun, callsPerStep }: Settings): Ending | null {
  if (run.lastCallCount > callsPerStep)
    return limitOf(`One step made ${run.lastCallCount} calls; ${callsPerStep} are allowed. Say so to go on.`)
  if (run.stepCount >= stepsPerRun)
    return limitOf(`The run has taken ${run.stepCount} steps, as many as are allowed. Say so to go on.`)
  return usedUp(state)
}

function limitOf(reason: string): Ending {
  return { outcome: 'limit', reason }
}
