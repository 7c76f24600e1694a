import { planCheckpoint } from '@holdfast/context'
import { focusNotice } from '@holdfast/conversation'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { Ending } from '../api/ending.ts'
import { modelBeside } from '../chosen/chosen-model.ts'
import { cutBy, endNow } from '../live/end-run.ts'
import type { AskedRun } from '../live/hosts.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { composeForRoom, leaveOutUnread } from '../request/room/move-window.ts'
import { roomSource } from '../request/room/room-source.ts'
import { summarise } from '../request/room/summarise.ts'
import { whyNoSummary } from '../request/room/summary-failure.ts'
import { startedRun } from './started-run.ts'

/** Makes the checkpoint that a person asked for, as a run of its own. [CHK1, RUN2] */
export async function runCheckpoint(atWork: RunAtWork, { focus, command, begun }: AskedRun): Promise<void> {
  const { log, runId, epoch } = atWork
  const { commandId } = command
  const started = await log.append({ epoch, command, dropDraft: null }, ({ runState: { exclusive } }) => {
    if (exclusive) throw new RunActiveError(log.conversationId, exclusive.runId)
    return [
      { type: 'run-started', actor: ENGINE, commandId, runId, purpose: 'checkpoint' },
      ...(focus === null ? [] : [{ type: 'notice-raised' as const, actor: ENGINE, runId, ...focusNotice(focus) }]),
    ]
  })
  begun.resolve(startedRun(started, runId))
  if (started.repeated) return
  await endNow(atWork, await endingOf(atWork, focus))
}

async function endingOf(atWork: RunAtWork, focus: string | null): Promise<Ending> {
  const { ports, log } = atWork
  const model = modelBeside(ports.models(), log.overview())
  if (model.type === 'missing') return { outcome: 'failed', reason: model.reason }
  const at = await composeForRoom(atWork, { ports, model: model.choice }, { now: ports.clock.now(), of: () => [] })
  if (!at.isWhole && (await leaveOutUnread(atWork, at))) return endingOf(atWork, focus)
  const source = roomSource(at)
  const plan = planCheckpoint(source)
  if (plan.type !== 'planned') {
    const reason = 'There is nothing to summarise yet: all that there is would be kept.'
    return { outcome: 'completed', reason }
  }
  const summarised = await summarise(atWork, { at, limits: source.limits, plan, source: 'person', focus })
  switch (summarised.type) {
    case 'changed':
      return endingOf(atWork, focus)
    case 'made':
      return { outcome: 'completed' }
    case 'failed':
      return { outcome: 'failed', reason: `No summary was made: ${whyNoSummary(summarised.failure)}` }
    case 'over-budget':
      return summarised.ending
    case 'stopped':
      return { outcome: cutBy(atWork, log.overview()) }
  }
}
