import type { InputPart } from '@holdfast/conversation'

/**
 * A part as the fingerprint of a command has it. What stands elsewhere is read when it is sent: sent again it may say
 * something else, and is the same command. [LOG4]
 */
export function asAsked(part: InputPart): unknown {
  if (part.type === 'resource') return { type: part.type, server: part.server, uri: part.uri }
  if (part.type === 'mention') return { type: part.type, kind: part.kind, id: part.id, lines: part.lines ?? null }
  if (part.type === 'canvas') return { type: part.type, elementId: part.elementId, answer: part.answer ?? null }
  return part
}
