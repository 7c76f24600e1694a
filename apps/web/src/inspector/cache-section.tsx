import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { CacheBreakReason } from '@holdfast/conversation'
import { usdText } from '../cost-words.ts'
import { shortCount, timeOfDay } from '../format.ts'
import { CacheBars } from './cache-bars.tsx'

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
        <h3>Cache</h3>
        <span className="meta">{`${Math.round((total.cacheReadTokens / promptTokens) * 100)} % read from it`}</span>
      </header>
      <CacheBars store={store} />
      {breakCount === 0 ? (
        <p className="meta">Unbroken so far.</p>
      ) : (
        <>
          <p className="meta">
            {`${shortCount(lostTokens)} tokens lost in ${breakCount} break${breakCount === 1 ? '' : 's'}${lostUsd > 0 ? `, ${usdText(lostUsd)} more` : ''}`}
          </p>
          <table className="figures" data-testid="cache-breaks">
            <tbody>
              {newest.toReversed().map(({ seq, at, reason, lostTokens: tokens, lostUsd: usd }) => (
                <tr key={seq}>
                  <th scope="row">{REASONS[reason]}</th>
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

const REASONS: Readonly<Record<CacheBreakReason, string>> = {
  rewind: 'Message edited or asked again',
  branch: 'Another branch selected',
  model: 'Another model',
  builder: 'Holdfast builds requests anew',
  tools: 'Tools changed',
  agent: 'Another agent',
  instructions: 'Instructions changed',
  parameters: 'Parameters changed',
  checkpoint: 'Summary checkpoint',
  'checkpoint-undone': 'Checkpoint undone',
  window: 'Window moved',
  erasure: 'Words erased',
  'thinking-dropped': 'Earlier thinking dropped',
  excerpts: 'Long results shown smaller',
  expired: 'Nobody used it in time',
  provider: 'The provider did not keep it',
}
