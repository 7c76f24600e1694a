import { carryOut } from './commands.ts'
import { type PinMessage, UnknownMessageError } from './context-engine.ts'
import type { LiveLog } from './live-log.ts'
import { entryAt } from './path-reader.ts'
import type { EnginePorts } from './ports.ts'

/**
 * Pins a message that a person wrote, so that every checkpoint carries it over, or takes the pin off. [CHK4]
 *
 * @throws {UnknownMessageError}
 */
export async function pinMessage(ports: EnginePorts, log: LiveLog, command: PinMessage): Promise<void> {
  const { actor, commandId, conversationId, messageSeq, isPinned } = command
  const message = await entryAt(ports.store, { conversationId, seq: messageSeq, type: 'user-message-sent' })
  await carryOut(ports, log, { command, asked: ['pin', messageSeq, isPinned] }, ({ pins }) => {
    if (message === null) throw new UnknownMessageError(messageSeq)
    if (pins.includes(messageSeq) === isPinned) return []
    return [{ type: 'pin-changed', actor, commandId, messageSeq, isPinned }]
  })
}
