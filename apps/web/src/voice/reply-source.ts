import type { ConversationStore } from '@holdfast/client'
import { type TranscriptItem, visibleItems } from '@holdfast/conversation'
import type { ReadSource, ReadText } from './reading.ts'

/** The reply of a run, also while it is being written. */
export function replySource(store: ConversationStore, runId: string): ReadSource {
  return { key: replyKey(runId), now: () => textOf(store.getSnapshot(), runId), subscribe: store.subscribe }
}

/** Names a reply among what can be read. */
export function replyKey(runId: string): string {
  return `reply/${runId}`
}

/** A text that is whole, such as the result of a schedule. */
export function wholeSource(key: string, text: string): ReadSource {
  return { key, now: () => ({ texts: [text], isComplete: true }), subscribe: () => () => {} }
}

function textOf({ window, overview, draft }: ReturnType<ConversationStore['getSnapshot']>, runId: string): ReadText {
  const settled = visibleItems({ items: window.items, path: overview.path }).filter((item) => item.runId === runId)
  const isOpen = overview.runState.exclusive?.runId === runId
  const writing = isOpen && draft !== null ? draft.blocks : []
  return {
    texts: [
      ...settled.flatMap(wordsOf),
      ...writing.flatMap(({ start, text }) => (start.type === 'text' ? [text] : [])),
    ],
    isComplete: !isOpen,
  }
}

function wordsOf({ role, parts }: TranscriptItem): readonly string[] {
  return role === 'assistant' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : []
}
