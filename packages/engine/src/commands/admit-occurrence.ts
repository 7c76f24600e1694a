import type { AppendedRecord, Entry, NewEntry } from '@holdfast/conversation'
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
export async function admitOccurrence(
  ports: EnginePorts,
  log: LiveLog,
  command: AdmitOccurrence,
): Promise<{ readonly inputId: string }> {
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
    const { entries } = await carryOut(ports, recording(log, records), { command, asked }, () => [admitted])
    return admittedIn(entries)
  }
  const first = log.overview().head === 0 ? await firstEntries(ports, log, { ...begins, actor, commandId }) : []
  const key = commandKey(ports, { command, asked })
  const append = { epoch: null, command: key, dropDraft: null, records }
  return admittedIn((await log.append(append, () => [...first, admitted])).entries)
}

function admittedIn(entries: readonly Entry[]): { readonly inputId: string } {
  const admitted = entries.find((entry) => entry.type === 'input-admitted')
  if (admitted === undefined) throw new Error('An occurrence is admitted by an input')
  return { inputId: admitted.inputId }
}

function recording(log: LiveLog, records: readonly AppendedRecord[]): LiveLog {
  return { ...log, append: (options, decide) => log.append({ ...options, records }, decide) }
}
