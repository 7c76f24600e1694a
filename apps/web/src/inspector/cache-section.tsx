import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { CacheBreakReason } from '@holdfast/conversation'
import { useMemo } from 'react'
import { usdText } from '../shared/cost-words.ts'
import { shortCount, timeOfDay } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { type CacheTurn, cachedPercent, cacheTurns } from './cache-turns.ts'

/** What the prompt cache has given, and every time that it broke, with the reason. [CACHE4] */
export function CacheSection({ store }: { readonly store: ConversationStore }) {
  const ledger = useConversation(store, (state) => state.overview.ledger)
  const { total, cacheLosses } = ledger
  const { breakCount, lostTokens, lostUsd, newest } = cacheLosses
  const promptTokens =
    total.inputTokens + total.cacheReadTokens + total.cacheCreation5mTokens + total.cacheCreation1hTokens
  if (total.cacheReadTokens + total.cacheCreation5mTokens + total.cacheCreation1hTokens === 0) return null
  return (
    <section className="inspector-part" data-testid="inspector-cache">
      <header>
        <h3>{say('inspector.cache')}</h3>
        <span className="meta">
          {say('inspector.read-from-it', { percent: Math.round((total.cacheReadTokens / promptTokens) * 100) })}
        </span>
      </header>
      <CacheBars store={store} />
      {breakCount === 0 ? (
        <p className="meta">{say('inspector.unbroken-so-far')}</p>
      ) : (
        <>
          <p className="meta">
            {[
              say('inspector.lost', { count: lostTokens, tokens: shortCount(lostTokens), breaks: breakCount }),
              ...(lostUsd > 0 ? [say('inspector.more', { amount: usdText(lostUsd) })] : []),
            ].join(', ')}
          </p>
          <table className="figures" data-testid="cache-breaks">
            <tbody>
              {newest.toReversed().map(({ seq, at, reason, lostTokens: tokens, lostUsd: usd }) => (
                <tr key={seq}>
                  <th scope="row">{say(REASONS[reason])}</th>
                  <td>{timeOfDay(at)}</td>
                  <td>{shortCount(tokens)}</td>
                  <td>{usd === null ? '—' : usdText(usd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}

const REASONS: Readonly<Record<CacheBreakReason, PlainKey>> = {
  rewind: 'inspector.message-edited-or-asked-again',
  branch: 'inspector.another-branch-selected',
  model: 'inspector.another-model',
  builder: 'inspector.holdfast-builds-requests-anew',
  tools: 'inspector.tools-changed',
  agent: 'inspector.another-agent',
  instructions: 'inspector.instructions-changed',
  parameters: 'inspector.parameters-changed',
  exclusion: 'inspector.result-left-out-or-back',
  checkpoint: 'inspector.summary-checkpoint',
  'checkpoint-undone': 'inspector.checkpoint-undone',
  window: 'inspector.window-moved',
  erasure: 'inspector.words-erased',
  'thinking-dropped': 'inspector.earlier-thinking-dropped',
  excerpts: 'inspector.long-results-shown-smaller',
  expired: 'inspector.nobody-used-it-in-time',
  provider: 'inspector.the-provider-did-not-keep',
}

/** One bar for each of the newest turns: how much of what it read came from the cache. */
function CacheBars({ store }: { readonly store: ConversationStore }) {
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
    count: turn.promptTokens,
    tokens: shortCount(turn.promptTokens),
  })
}
