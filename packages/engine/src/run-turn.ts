import { askModel, endNow, toolsChanged } from './ask-model.ts'
import { nextAct } from './next-act.ts'
import { nextInput } from './next-input.ts'
import { settleCalls } from './settle-calls.ts'
import { ENGINE, type Turn } from './turn.ts'
import { waitUntil } from './wait-until.ts'

/**
 * Works on one turn until it has its one end or waits for a person. [RUN1, RUN4]
 *
 * What throws is a lost store, a lost lease or a defect; recovery closes such a run.
 */
export async function runTurn(turn: Turn): Promise<void> {
  const { ports, log, runId, signal } = turn
  await begin(turn)
  for (;;) {
    const state = log.overview()
    const act = nextAct(state, { runId, now: ports.clock.now(), aborted: signal.aborted })
    const run = state.runState.exclusive
    if (!run) return
    switch (act.type) {
      case 'ask-model':
        await askModel(turn, run)
        break
      case 'call-tools':
        await settleCalls(turn, run)
        break
      case 'wait':
        await waitUntil(ports.clock, act.until, signal)
        break
      case 'end':
        return endNow(turn, act.ending)
      case 'park':
      case 'nothing':
        return
    }
  }
}

/** Takes the input whose turn it is, with the tools as they are now, unless the run has begun and was parked. */
async function begin({ ports, log, runId, epoch }: Turn): Promise<void> {
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const input = nextInput(state, ports.clock.now())
    if (!input) return []
    const { inputId, content, origin } = input
    const unattended = origin === 'schedule' ? { unattended: true as const } : {}
    return [
      { type: 'run-started', actor: ENGINE, runId, purpose: 'turn', ...unattended },
      { type: 'user-message-sent', actor: ENGINE, runId, inputId, content: [...content] },
      ...toolsChanged(ports, log.conversationId, state),
    ]
  })
}
