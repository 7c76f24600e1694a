import type { TranscriptItem } from '@holdfast/conversation'
import { type PlainKey, say } from './language/say.ts'

/** How an entry of the transcript has ended, in a word. */
export function stateWord(state: TranscriptItem['state']): string {
  return say(STATES[state])
}

const STATES: Readonly<Record<TranscriptItem['state'], PlainKey>> = {
  complete: 'message.state-complete',
  stopped: 'message.state-stopped',
  interrupted: 'message.state-interrupted',
  failed: 'message.state-failed',
  'ended-early': 'message.state-ended-early',
  'too-long': 'message.state-too-long',
  erased: 'message.state-erased',
}
