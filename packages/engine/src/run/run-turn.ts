import { type OpenRun, othersTurn, waitUntil } from '@holdfast/conversation'
import { type CallJudge, createCallJudge } from '../calls/judge-open-calls.ts'
import { settleCalls } from '../calls/settle-calls.ts'
import { modelOf } from '../chosen/chosen-model.ts'
import { toolsChanged } from '../chosen/conversation-tools.ts'
import { endNow } from '../live/end-run.ts'
import { nextInput } from '../live/next-input.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { whyNotSent } from '../request/may-send.ts'
import { prepareStep } from '../request/prepare-step.ts'
import { fittingRequest } from '../request/room/make-room.ts'
import { roomOfTools } from '../request/room-of-tools.ts'
import { startStep } from '../request/start-step.ts'
import { takeStep } from '../request/take-step.ts'
import { finishStep } from './finish-step.ts'
import { nextAct } from './next-act.ts'

/**
 * Works on one turn until it has its one end or waits for a person. [RUN1, RUN4]
 *
 * What throws is a lost store, a lost lease or a defect; recovery closes such a run.
 */
export async function runTurn(atWork: RunAtWork): Promise<void> {
  const { ports, log, runId, signal } = atWork
  let judge: CallJudge | null = null
  await begin(atWork)
  for (;;) {
    const state = log.overview()
    const act = nextAct(state, { runId, now: ports.clock.now(), aborted: signal.aborted, ports })
    const run = state.runState.exclusive
    if (!run) return
    switch (act.type) {
      case 'ask-model':
        await askModel(atWork, run)
        break
      case 'call-tools':
        judge ??= createCallJudge(atWork)
        await callTools(atWork, run, judge)
        break
      case 'wait':
        await waitUntil(ports.clock, act.until, signal)
        break
      case 'end':
        return endNow(atWork, act.ending)
      case 'park':
      case 'nothing':
        return
    }
  }
}

/** Settles calls; a row of calls that cannot be run ends the run, as no answer of a person could. [RUN8] */
async function callTools(atWork: RunAtWork, run: OpenRun, judge: CallJudge): Promise<void> {
  const comesBack = await settleCalls(atWork, run, judge)
  if (comesBack === null || atWork.signal.aborted) return
  return endNow(atWork, { outcome: 'limit', reason: `${comesBack}, and it cannot be run. Say so to go on.` })
}

/** Takes the input whose turn it is, with the tools as they are now, unless the run has begun and was parked. */
async function begin({ ports, log, runId, epoch }: RunAtWork): Promise<void> {
  await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const input = nextInput(state, ports.clock.now())
    if (!input) return []
    const { inputId, content, origin, schedule } = input
    const unattended =
      origin === 'schedule' ? { unattended: true as const, ...(schedule === null ? {} : { schedule }) } : {}
    return [
      { type: 'run-started', actor: ENGINE, runId, purpose: 'turn', ...unattended },
      { type: 'user-message-sent', actor: ENGINE, runId, inputId, content: [...content] },
      ...toolsChanged(ports, log.conversationId, { state, room: roomOfTools(ports, log.requestState(), state) }),
    ]
  })
}

/** To compose such a request, and to check and to write down what it is, each take a moment, in which nobody else is served. */
const LONG_REQUEST_TOKENS = 100_000

/** Makes one step: what steers joins, the request is built from the log, asked, and its answer written down. */
async function askModel(atWork: RunAtWork, run: OpenRun): Promise<void> {
  const { ports, log, runId, epoch } = atWork
  const chosen = modelOf(ports.models(), log.overview())
  if (chosen.type === 'missing') return endNow(atWork, { outcome: 'failed', reason: chosen.reason })
  await prepareStep(atWork, run, chosen.choice)
  const fitting = await fittingRequest(atWork, run, chosen.choice)
  if (fitting.type === 'stopped') return
  if (fitting.type === 'end') return endNow(atWork, fitting.ending)
  const { request, model } = fitting.at
  if (fitting.at.estimatedInputTokens > LONG_REQUEST_TOKENS) await othersTurn(ports.clock)
  const refusal = await whyNotSent(atWork, fitting.at)
  if (refusal !== null) return endNow(atWork, refusal)
  const askedAt = ports.clock.now()
  const step = await startStep(atWork, 'turn', { ...fitting.at, notes: fitting.notes, beside: null })
  if (step === null) return
  const { stepId } = step
  const address = { conversationId: log.conversationId, runId, ...step, epoch }
  const { conversationId } = log
  const turn = { conversationId, ownerId: atWork.ownerId, runId, settings: fitting.at.composedFrom.settings }
  const result = await takeStep(atWork, { model, request, address, turn })
  await finishStep(atWork, { stepId, at: fitting.at, askedAt, result })
}
