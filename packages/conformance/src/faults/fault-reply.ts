import type { Reply } from '../reply.ts'
import type { Fault, Place } from './fault.ts'

/** A reply with thinking, text and a call, so that every place is in it, with the fault at its place. */
export function createFaultReply(fault: Fault, place: Place): Reply {
  return {
    parts: [
      { type: 'thinking', text: 'The file may hold it, so it is worth a look.' },
      { type: 'text', text: 'I look into the file first.' },
      { type: 'tool-call', name: 'read', input: { path: 'notes/long-name-of-a-file.txt' } },
    ],
    fault: { fault, place },
  }
}
