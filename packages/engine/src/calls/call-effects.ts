import type { NewEntry } from '@holdfast/conversation'
import type { CallEffect } from '@holdfast/tool'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'

/** A call that is over. */
export interface EndedCall {
  readonly callId: string
  readonly name: string
  /** Whether it may have brought what strangers wrote. */
  readonly brings: boolean
  /** Whether a person was asked about it, saw what it would do, and allowed it. */
  readonly isReviewed: boolean
  /** What its tool reported. */
  readonly effects: readonly CallEffect[]
}

/** What a call did beside answering, as the log takes it. */
export interface LoggedEffects {
  /** What it did to files and memories, whatever became of it. [WS1, LOG3] */
  readonly entries: readonly NewEntry[]
  /** Files with words of strangers that it read. [PERM7] */
  readonly strangers: readonly string[]
}

/** Sorts what a call did; files in which words of strangers may stand now are known as such before it is written down. */
export async function effectsOf(
  { ports, log, runId, ownerId }: RunAtWork,
  { callId, name, brings, isReviewed, effects }: EndedCall,
): Promise<LoggedEffects> {
  const { conversationId } = log
  const changes = effects.flatMap((effect) => (effect.type === 'files-changed' ? effect.changes : []))
  const strangers = effects.flatMap((effect) => (effect.type === 'strangers-read' ? effect.files : []))
  if (changes.length > 0) {
    const { settings, strangersAt } = log.overview()
    const how = brings || strangers.length > 0 ? 'brought' : strangersAt === null || isReviewed ? 'own' : 'written'
    await ports.strangersFiles?.note({ conversationId, ownerId, settings, changes, how, by: name })
  }
  const about = { actor: ENGINE, runId, callId }
  return {
    strangers,
    entries: [
      ...(changes.length === 0 ? [] : [{ type: 'files-changed' as const, ...about, changes }]),
      ...effects.flatMap((effect) => (effect.type === 'memory-changed' ? [{ ...effect, ...about }] : [])),
    ],
  }
}
