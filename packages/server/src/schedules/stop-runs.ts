import type { Actor, EntryStore, Ids, SnapshotStore } from '@holdfast/conversation'
import { type Engine, RefusedCommandError, readOverview } from '@holdfast/engine'
import type { ScheduleRecord } from './stored-schedules.ts'

/** What it works with. */
export interface StopRunsDeps {
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
  readonly engine: Pick<Engine, 'stopRun' | 'removeInput'>
  readonly ids: Ids
}

/**
 * Stops the runs of a schedule that are under way, as a stop in their conversation does, and takes those out of the queue that
 * have not begun. What others asked there goes on. [SCHED38]
 *
 * @returns how many it stopped.
 */
export async function stopRuns(deps: StopRunsDeps, { id, value }: ScheduleRecord, actor: Actor): Promise<number> {
  let stopped = 0
  for (const open of value.open) if (await stopOne(deps, { scheduleId: id, open, actor })) stopped += 1
  return stopped
}

type OpenRun = ScheduleRecord['value']['open'][number]

async function stopOne(
  { store, engine, ids }: StopRunsDeps,
  { scheduleId, open, actor }: { readonly scheduleId: string; readonly open: OpenRun; readonly actor: Actor },
): Promise<boolean> {
  const { conversationId, inputId, plannedAt } = open
  const base = { actor, conversationId }
  const { queue, runState } = (await readOverview(store, conversationId)).state
  if (queue.inputs.some((input) => input.inputId === inputId)) {
    try {
      await engine.removeInput({ ...base, commandId: ids.next('request'), inputId })
      return true
    } catch (error) {
      // It has begun meanwhile, or somebody else took it out.
      if (!(error instanceof RefusedCommandError) || error.code !== 'input-not-waiting') throw error
      return stopOne({ store, engine, ids }, { scheduleId, open, actor })
    }
  }
  const run = runState.exclusive
  if (run?.schedule?.scheduleId !== scheduleId || run.schedule.plannedAt !== plannedAt) return false
  const answer = await engine.stopRun({ ...base, commandId: ids.next('request'), runId: run.runId, force: true })
  return answer.accepted
}
