import { type NewEntry, type OpenRun, type Overview, settingsNow, type WaitingInput } from '@holdfast/conversation'
import type { ModelFacts } from '@holdfast/provider'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { toolsChanged } from '../chosen/conversation-tools.ts'
import { isLocked } from '../live/next-input.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { windowChanged } from './learn-window.ts'
import { answerLimits } from './model-settings.ts'
import { roomOfTools } from './room-of-tools.ts'

/**
 * What must stand in the log before the request is built: what steers, unless the queue is held, and the definitions
 * of the tools, and a window that is another by now. [REQ1, STOP9, WIN8]
 */
export async function prepareStep(
  { ports, log, runId, epoch }: RunAtWork,
  run: OpenRun,
  model: ModelChoice,
): Promise<void> {
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const now = ports.clock.now()
    const { inputs, held } = state.queue
    const steering = run.stepCount === 0 || held !== null ? [] : inputs.filter((input) => steers(input, now))
    const sent = steering.map(({ inputId, content }): NewEntry => {
      return { type: 'user-message-sent', actor: ENGINE, runId, inputId, content: [...content] }
    })
    // By the log as it is at this place: what a person changed just before holds.
    const definitions = toolsChanged(ports, log.conversationId, {
      state,
      room: roomOfTools(ports, log.requestState(), state),
    })
    const window = windowChanged(log.requestState(), { runId, model })
    return [...definitions, ...window, ...sent, ...lessThanSet(ports, { state, run, facts: model.facts })]
  })
}

/** Code of the notice that says which settings the model does not reach. */
const SETTINGS_BOUNDED = 'settings-bounded'

/** Says once in a run what is less than was set: the model was chosen after it, or says so itself. [RUN13, WIN10] */
function lessThanSet(
  ports: EnginePorts,
  { state, run, facts }: { readonly state: Overview; readonly run: OpenRun; readonly facts: ModelFacts },
): NewEntry[] {
  if (run.stepCount > 0 || run.failedAttempts > 0 || run.thinkingOff) return []
  if (state.notices.some(({ code, runId }) => code === SETTINGS_BOUNDED && runId === run.runId)) return []
  const less = answerLimits(settingsNow(ports.settings), { own: state.settings, facts }).lessThanSet
  if (less.length === 0) return []
  const about = { code: SETTINGS_BOUNDED, severity: 'info', until: 'another model, or another setting' } as const
  return [{ type: 'notice-raised', actor: ENGINE, ...about, runId: run.runId, text: less.join(' ') }]
}

function steers(input: WaitingInput, now: number): boolean {
  return input.lane === 'steer' && !isLocked(input, now)
}
