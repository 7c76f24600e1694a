import { planCheckpoint } from '@holdfast/context'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { Ending } from '../api/ending.ts'
import type { AskedRun } from '../log/hosts.ts'
import { ENGINE, type Turn } from '../log/turn.ts'
import { inWords } from '../request/make-room.ts'
import { summarise } from '../request/summarise.ts'
import { composeTurn, modelOf, roomSource } from '../request/turn-request.ts'
import { endNow } from './end-run.ts'
import { startedRun } from './started-run.ts'

/** Makes the checkpoint that a person asked for, as a run of its own. [CHK1, RUN2] */
export async function runCheckpoint(turn: Turn, { focus, command, begun }: AskedRun): Promise<void> {
  const { log, runId, epoch } = turn
  const { commandId } = command
  const started = await log.append({ epoch, command, dropDraft: null }, ({ runState: { exclusive } }) => {
    if (exclusive) throw new RunActiveError(log.conversationId, exclusive.runId)
    return [{ type: 'run-started', actor: ENGINE, commandId, runId, purpose: 'checkpoint' }]
  })
  begun.resolve(startedRun(started, runId))
  if (started.repeated) return
  await endNow(turn, await endingOf(turn, focus))
}

async function endingOf(turn: Turn, focus: string | null): Promise<Ending> {
  const { ports, log, signal } = turn
  const model = modelOf(ports.models(), log.overview())
  if (model.type === 'missing') return { outcome: 'failed', reason: model.reason }
  const at = await composeTurn(turn, model.choice)
  const source = roomSource(at)
  const plan = planCheckpoint(source)
  if (plan.type !== 'planned')
    return { outcome: 'completed', reason: 'There is nothing to summarise yet: all that there is would be kept.' }
  const summarised = await summarise(turn, { at, limits: source.limits, plan, source: 'person', focus })
  switch (summarised.type) {
    case 'changed':
      return endingOf(turn, focus)
    case 'made':
      return { outcome: 'completed' }
    case 'failed':
      return { outcome: 'failed', reason: `No summary was made: ${inWords(summarised.reason)}` }
    case 'over-budget':
      return summarised.ending
    case 'stopped': {
      const isStopped = log.overview().runState.exclusive?.stopRequestedAt != null
      return { outcome: isStopped && signal.aborted ? 'stopped' : 'interrupted' }
    }
  }
}
