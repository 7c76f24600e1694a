import type { SentPart } from '@holdfast/protocol'
import { useSyncExternalStore } from 'react'

const NOTHING: readonly SentPart[] = []
const written = new Map<string, readonly SentPart[]>()
const listeners = new Set<() => void>()

/** Says what would be sent of a conversation now: words, files and what they name. */
export function tellWritten(conversationId: string, content: readonly SentPart[]): void {
  written.set(conversationId, content)
  for (const listener of [...listeners]) listener()
}

/** What is written in the composer of a conversation, for those who show what would be sent. [C8] */
export function useWritten(conversationId: string): readonly SentPart[] {
  return useSyncExternalStore(onWritten, () => written.get(conversationId) ?? NOTHING)
}

function onWritten(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
