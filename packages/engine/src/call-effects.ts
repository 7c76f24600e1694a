import type { NewEntry } from '@holdfast/conversation'
import { ENGINE, type Turn } from './turn.ts'

/** A call that is over. */
export interface EndedCall {
  readonly callId: string
  readonly name: string
  /** Whether it may have brought what strangers wrote. */
  readonly brings: boolean
  /** Whether a person was asked about it, saw what it would do, and allowed it. */
  readonly isReviewed: boolean
}

/** What a call did beside answering. */
export interface CallEffects {
  /** What it did to files and memories, whatever became of it. [WS1, LOG3] */
  readonly entries: readonly NewEntry[]
  /** Files with words of strangers that it read. [PERM7] */
  readonly strangers: readonly string[]
}

/** Asks the tools what a call did; files in which words of strangers may stand now are known as such before it is written down. */
export async function effectsOf(
  { ports, log, runId }: Turn,
  { callId, name, brings, isReviewed }: EndedCall,
): Promise<CallEffects> {
  const { conversationId } = log
  const changes = ports.fileChanges?.take({ conversationId, callId }) ?? []
  const memories = ports.memoryChanges?.take({ conversationId, callId }) ?? []
  const strangers = ports.strangersFiles?.takeRead({ conversationId, callId }) ?? []
  if (changes.length > 0) {
    const { ownerId, settings, strangersAt } = log.overview()
    const how = brings || strangers.length > 0 ? 'brought' : strangersAt === null || isReviewed ? 'own' : 'written'
    await ports.strangersFiles?.note({ conversationId, ownerId: ownerId ?? '', settings, changes, how, by: name })
  }
  const about = { actor: ENGINE, runId, callId }
  return {
    strangers,
    entries: [
      ...(changes.length === 0 ? [] : [{ type: 'files-changed' as const, ...about, changes: [...changes] }]),
      ...memories.map((change) => ({ type: 'memory-changed' as const, ...about, ...change })),
    ],
  }
}
