import type { ContextAnswer } from '@holdfast/client'
import { say } from '../language/say.ts'
import { spokenUse } from './context-words.ts'
import { segmentsOf } from './segments.ts'

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
