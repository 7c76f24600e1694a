import type { EnginePorts } from '../api/ports.ts'
import type { Host } from '../live/hosts.ts'
import type { Tenure } from '../live/run-at-work.ts'
import { isTitleDue } from './run-title.ts'

/** Begins to work under a lease: it goes back with the end of the turn after which neither an input nor a title comes. [RUN32] */
export function beginTenure(ports: EnginePorts, host: Host): Tenure {
  return {
    isGivenBack: false,
    isLast(state, { outcome, reason }) {
      const { exclusive } = state.runState
      if (exclusive === null || host.side !== null || host.askedRun !== null || state.queue.inputs.length > 0)
        return false
      const lastTurn = { runId: exclusive.runId, outcome, reason: reason ?? null }
      return !isTitleDue(ports, { ...state, runState: { ...state.runState, lastTurn } })
    },
  }
}
