import type { PinMessage } from '../api/context-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { unknownMessage } from '../api/refused-command-error.ts'
import type { LiveLog } from '../log/live-log.ts'
import { entryAt } from '../log/path-reader.ts'
import { carryOut } from './carry-out.ts'

/**
 * Pins a message that a person wrote, so that every checkpoint carries it over, or takes the pin off. [CHK4]
 *
 * @throws {RefusedCommandError}
 */
export async function pinMessage(ports: EnginePorts, log: LiveLog, command: PinMessage): Promise<void> {
  const { actor, commandId, conversationId, messageSeq, isPinned } = command
  const message = await entryAt(ports.store, { conversationId, seq: messageSeq, type: 'user-message-sent' })
  await carryOut(ports, log, { command, asked: ['pin', messageSeq, isPinned] }, ({ pins }) => {
    if (message === null) throw unknownMessage(messageSeq)
    if (pins.includes(messageSeq) === isPinned) return []
    return [{ type: 'pin-changed', actor, commandId, messageSeq, isPinned }]
  })
}
