import { THINKING_DROPPED } from '@holdfast/context'
import { type NewEntry, THINKING_OFF } from '@holdfast/conversation'
import { ENGINE } from './turn.ts'

/** What a request is repeated without, because its provider refused it. */
export type Without = 'thinking' | 'earlier-thinking'

/** Says that less is done than was asked. The code is what later requests are built by. [RUN13] */
export function noticeOf(runId: string, without: Without): NewEntry {
  const about = { type: 'notice-raised', actor: ENGINE, severity: 'warning', runId } as const
  switch (without) {
    case 'thinking':
      return {
        ...about,
        code: THINKING_OFF,
        text: 'The provider refused to let the model think as it was asked to. It answers without thinking.',
        until: 'the end of this run',
      }
    case 'earlier-thinking':
      return {
        ...about,
        code: THINKING_DROPPED,
        text: 'The provider did not accept the thinking of earlier answers. It is no longer sent; nothing else is left out.',
      }
  }
}
