import type { NewEntry } from '@holdfast/conversation'
import type { Admitted, SendMessage } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { asAsked, partsOf } from '../log/as-asked.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOut } from './carry-out.ts'
import { bringBack, release, sendNow } from './queue-entries.ts'
import { stopEntries } from './stop-run.ts'

/**
 * Admits an input. A new send lets a held queue go on, and goes before it, unless it was written behind what waits; one that
 * interrupts stops what runs first. [STOP9, STOP11]
 */
export async function admit(ports: EnginePorts, log: LiveLog, command: SendMessage): Promise<Admitted> {
  const { commandId, actor, content, lane, behind } = command
  const inputId = ports.ids.next('input')
  const { entries } = await carryOut(ports, log, { command, asked: ['send', asAsked(content), lane] }, (state) => {
    const admitted: NewEntry = {
      type: 'input-admitted',
      actor,
      commandId,
      inputId,
      lane: lane === 'steer' ? 'steer' : 'turn',
      origin: command.origin ?? 'person',
      content: partsOf(content),
    }
    if (lane === 'interrupt')
      return [
        ...bringBack(state, command),
        ...stopEntries(state, command, 'interrupt'),
        admitted,
        ...sendNow(command, inputId),
        ...release(state, command),
      ]
    const keepsPlace = state.queue.inputs.some((waiting) => waiting.inputId === behind)
    return [
      ...bringBack(state, command),
      admitted,
      ...(state.queue.held && !keepsPlace ? sendNow(command, inputId) : []),
      ...release(state, command),
    ]
  })
  const admitted = entries.find((entry) => entry.type === 'input-admitted')
  if (admitted?.type !== 'input-admitted') {
    throw new Error(`Command ${commandId} was carried out as something else than a message`)
  }
  return { seq: admitted.seq, inputId: admitted.inputId }
}
