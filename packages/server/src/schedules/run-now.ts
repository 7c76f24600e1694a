import { type Clock, RevisionConflictError } from '@holdfast/conversation'
import { RefusedCommandError } from '@holdfast/engine'
import type { Claims } from './claims.ts'
import { roomFor } from './decide-due.ts'
import type { Occurrence } from './schedule-record.ts'
import type { StoredSchedules } from './stored-schedules.ts'

/**
 * Begins a run beside the rule, however often another writes first. [SCHED12]
 *
 * @throws {RefusedCommandError} for one that is gone, and while as many runs are open as may be. [SCHED8]
 */
export async function runNow(
  { stored, claims, clock }: { readonly stored: StoredSchedules; readonly claims: Claims; readonly clock: Clock },
  id: string,
): Promise<Occurrence> {
  for (;;) {
    const record = await stored.read(id)
    if (!record) throw new RefusedCommandError('conflict', `Schedule ${id} was deleted`, { conversationId: id })
    // Pressed twice, or while its time has come: a second run beside it is paid as well.
    if (roomFor(record.value).type !== 'run')
      throw new RefusedCommandError(
        'conflict',
        `A run of schedule ${record.value.name} is open: wait for its end, or stop it`,
        {
          conversationId: record.value.open.at(-1)?.conversationId ?? id,
        },
      )
    try {
      const wanted = { plannedAt: clock.now(), isLate: false, cause: 'person' as const, said: [] }
      return await claims.begin(record, record.value, wanted)
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
    }
  }
}
