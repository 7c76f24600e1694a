import type { TranscriptItem } from '@holdfast/conversation'
import { wordsOf } from '../thread-parts.ts'

/** One place at which words that are looked for stand. */
export interface FoundHit {
  /** The item that holds it. */
  readonly seq: number
  /** Which of those in the same item it is, from 0. */
  readonly place: number
}

/** All places in the messages of a conversation, oldest first. Upper and lower case are the same. */
export function foundHits(items: readonly TranscriptItem[], words: string): readonly FoundHit[] {
  const wanted = words.toLowerCase()
  if (wanted.trim() === '') return []
  return items.flatMap((item) => {
    if (item.state === 'erased' || (item.role !== 'user' && item.role !== 'assistant')) return []
    const count = wordsOf(item.parts).toLowerCase().split(wanted).length - 1
    return Array.from({ length: count }, (_, place): FoundHit => ({ seq: item.seq, place }))
  })
}
