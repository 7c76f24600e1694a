import type { SearchHit } from '@holdfast/client'
import { say } from '../language/say.ts'
import { goToMessage } from '../message-target.ts'
import type { Act } from './acts.ts'

/** Messages in which the words of a query stand: each is opened where they are. */
export function messageActs(hits: readonly SearchHit[]): readonly Act[] {
  return hits.map(
    ({ conversationId, seq, title, snippet, highlights }): Act => ({
      ...{
        id: `message-${conversationId}-${seq}`,
        section: 'messages',
        name: title ?? say('common.untitled'),
        also: '',
      },
      ...{ shortcut: null, found: { snippet, highlights } },
      run: () => goToMessage(conversationId, seq),
    }),
  )
}
