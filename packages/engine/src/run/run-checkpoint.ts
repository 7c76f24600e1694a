import { planCheckpoint } from '@holdfast/context'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { AskedRun } from '../log/hosts.ts'
import { ENGINE, type Turn } from '../log/turn.ts'
import { inWords } from '../request/make-room.ts'
import { summarise } from '../request/summarise.ts'
import { composeTurn, modelOf, roomSource } from '../request/turn-request.ts'
import { endNow } from './end-run.ts'
import { startedRun } from './started-run.ts'

/** Makes the checkpoint that a person asked for, as a run of its own. [CHK1, RUN2] */
export async function runCheckpoint(turn: Turn, { focus, command, begun }: AskedRun): Promise<void> {
  const { ports, log, runId, epoch, signal } = turn
  const { commandId } = command
  const started = await log.append({ epoch, command, dropDraft: null }, ({ runState: { exclusive } }) => {
    if (exclusive) throw new RunActiveError(log.conversationId, exclusive.runId)
    return [{ type: 'run-started', actor: ENGINE, commandId, runId, purpose: 'checkpoint' }]
  })
  begun.resolve(startedRun(started, runId))
  if (started.repeated) return
  const model = modelOf(ports.models(), log.overview())
  if (model.type === 'missing') return endNow(turn, { outcome: 'failed', reason: model.reason })
  const at = await composeTurn(turn, { ports, model: model.choice, thinkingOff: false })
  const source = roomSource(at)
  const plan = planCheckpoint(source)
  if (plan.type !== 'planned') {
    const reason = 'There is nothing to summarise yet: all that there is would be kept.'
    return endNow(turn, { outcome: 'completed', reason })
  }
  const summarised = await summarise(turn, { at, limits: source.limits, plan, source: 'person', focus })
  switch (summarised.type) {
    case 'made':
      return endNow(turn, { outcome: 'completed' })
    case 'failed':
      return endNow(turn, { outcome: 'failed', reason: `No summary was made: ${inWords(summarised.reason)}` })
    case 'over-budget':
      return endNow(turn, summarised.ending)
    case 'stopped': {
      const isStopped = log.overview().runState.exclusive?.stopRequestedAt != null
      return endNow(turn, { outcome: isStopped && signal.aborted ? 'stopped' : 'interrupted' })
    }
  }
}
