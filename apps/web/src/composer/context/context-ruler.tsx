import type { Client, ContextAnswer, ConversationStore } from '@holdfast/client'
import { setDock } from '../../shared/address.ts'
import { say } from '../../shared/language/say.ts'
import { spokenUse, usedWords } from './context-words.ts'
import { segmentsOf } from './segments.ts'
import { useContextUse } from './use-context-use.ts'

/** The window as a ruler: what fills it, in a fixed order, and at its end what is kept for the reply. */
export function ContextRuler({ use, isTall }: { readonly use: ContextAnswer; readonly isTall: boolean }) {
  const { windowTokens, reservedTokens, usedTokens, percent, measured, level } = use
  if (windowTokens === null || percent === null) return null
  const whole = Math.max(windowTokens, usedTokens)
  const share = (tokens: number) => `${(tokens / whole) * 100}%`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be drawn in segments
    <div
      className={isTall ? 'ruler tall' : 'ruler'}
      data-testid="context-meter"
      data-state={level}
      data-measured={measured}
      role="meter"
      aria-label={say('context.context')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, percent)}
      aria-valuetext={spokenUse(use)}
    >
      <div className="ruler-track">
        {segmentsOf(use).map(
          ({ name, words, tokens }) =>
            tokens > 0 && (
              <span
                key={name}
                className="segment"
                data-segment={name}
                title={words}
                style={{ inlineSize: `max(2px, ${share(tokens)})` }}
              />
            ),
        )}
        <span
          className="segment reserve"
          title={say('context.kept-for-the-reply')}
          style={{ inlineSize: share(reservedTokens) }}
        />
      </div>
      <div className="ruler-ticks" />
    </div>
  )
}

/** The ruler on the composer's upper edge, and how full the window is. */
export function ContextLine({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const { value } = useContextUse(client, store)
  if (!value || value.modelId === null || value.usedTokens === 0) return null
  return (
    <div className="context-line">
      <ContextRuler use={value} isTall={false} />
      <button
        type="button"
        className="context-words"
        data-level={value.level}
        aria-label={say('context.open-inspector', { shown: usedWords(value), spoken: spokenUse(value) })}
        onClick={() => setDock('inspector')}
      >
        {usedWords(value)}
      </button>
    </div>
  )
}
