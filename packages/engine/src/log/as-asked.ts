import type { InputPart } from '@holdfast/conversation'
import type { GivenContent, NamedPart } from '../api/given-content.ts'

/**
 * Content as the fingerprint of a command has it. What stands elsewhere is read when it is sent: sent again it may say
 * something else, or be gone, and is the same command. [LOG4]
 */
export function asAsked(content: GivenContent): unknown[] {
  return ('asked' in content ? content.asked : content).map(partAsAsked)
}

/** The parts of what was given. @throws the error with which they were refused. */
export function partsOf(content: GivenContent): InputPart[] {
  if ('asked' in content) throw content.error
  return [...content]
}

function partAsAsked(part: NamedPart): unknown {
  switch (part.type) {
    case 'resource':
      return { type: part.type, server: part.server, uri: part.uri }
    case 'mention':
      return { type: part.type, kind: part.kind, id: part.id, lines: part.lines ?? null }
    case 'canvas':
      return { type: part.type, elementId: part.elementId, answer: part.answer ?? null }
    case 'file':
    case 'image':
      return { type: part.type, attachmentId: part.attachmentId }
    case 'element': {
      const { blob: _blob, ...asked } = part
      return asked
    }
    case 'text':
    case 'quote':
    case 'error':
    case 'link':
      return part
  }
}
