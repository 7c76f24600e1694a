import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useMemo } from 'react'
import { shortCount, timeOfDay } from '../format.ts'
import { say } from '../language/say.ts'
import { type CacheTurn, cachedPercent, cacheTurns } from './cache-turns.ts'

/** One bar for each of the newest turns: how much of what it read came from the cache. */
export function CacheBars({ store }: { readonly store: ConversationStore }) {
  const items = useConversation(store, ({ window }) => window.items)
  const turns = useMemo(() => cacheTurns(items), [items])
  if (turns.length < 2) return null
  return (
    <ol className="cache-bars" aria-label={say('inspector.cache-by-turn')} data-testid="cache-bars">
      {turns.map((turn) => (
        <li key={turn.runId} title={wordsOf(turn)}>
          <span className="cache-bar" style={{ blockSize: `${Math.max(4, cachedPercent(turn))}%` }} />
          <span className="visually-hidden">{wordsOf(turn)}</span>
        </li>
      ))}
    </ol>
  )
}

function wordsOf(turn: CacheTurn): string {
  return say('inspector.cache-of-turn', {
    time: timeOfDay(turn.at),
    percent: cachedPercent(turn),
    tokens: shortCount(turn.promptTokens),
  })
}
