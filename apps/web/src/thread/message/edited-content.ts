import type { TranscriptItem } from '@holdfast/conversation'
import type { SentPart } from '@holdfast/protocol'
import { withWords } from '../../composer/queue/queue-order.ts'

/** What is sent when a message is written anew: its files go along as they are. Null where a part of it cannot be sent again. */
export function editedContent(item: TranscriptItem, words: string): readonly SentPart[] | null {
  return withWords(
    item.parts.filter((part) => part.type !== 'thinking'),
    words,
  )
}
