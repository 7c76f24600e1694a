import type { AppendedRecord, NewEntry } from '@holdfast/conversation'
import type { AdmitOccurrence } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { partsOf } from '../log/as-asked.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOut, commandKey } from './carry-out.ts'
import { firstEntries } from './create-conversation.ts'

/**
 * Admits what a schedule asks, with the beginning of its conversation where it has none, and the records that claim the
 * occurrence: all of it or nothing. [SCHED1, SCHED6]
 *
 * @throws {RevisionConflictError} where another process has claimed it.
 */
export async function admitOccurrence(ports: EnginePorts, log: LiveLog, command: AdmitOccurrence): Promise<void> {
  const { actor, commandId, inputId, content, schedule, begins, records } = command
  const admitted: NewEntry = {
    type: 'input-admitted',
    actor,
    commandId,
    inputId,
    lane: 'turn',
    origin: 'schedule',
    content: partsOf(content),
    schedule,
  }
  const asked = ['occurrence', schedule.scheduleId, schedule.plannedAt]
  if (begins === null) {
    await carryOut(ports, recording(log, records), { command, asked }, () => [admitted])
    return
  }
  const first = log.overview().head === 0 ? await firstEntries(ports, log, { ...begins, actor, commandId }) : []
  const key = commandKey(ports, { command, asked })
  await log.append({ epoch: null, command: key, dropDraft: null, records }, () => [...first, admitted])
}

function recording(log: LiveLog, records: readonly AppendedRecord[]): LiveLog {
  return { ...log, append: (options, decide) => log.append({ ...options, records }, decide) }
}
