import type { ContextAnswer } from '@holdfast/client'
import { setDock } from '../../shared/address.ts'
import { Glyph } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { useMedia } from '../../shared/use-media.ts'
import { shortUseWords, spokenUse, usedWords } from './context-words.ts'
import { fullnessOf } from './fullness.ts'
import type { Remedies } from './remedies.ts'
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
      data-fullness={fullnessOf(use)}
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

interface ContextLineProps {
  readonly use: ContextAnswer | null
  readonly remedies: Remedies
}

/** The ruler on the composer's upper edge, and how full the window is; from three quarters on also what helps. */
export function ContextLine({ use, remedies }: ContextLineProps) {
  const isPhone = useMedia('(max-width: 639px)')
  if (!use || use.modelId === null || use.usedTokens === 0) return null
  const fullness = fullnessOf(use)
  // An agent makes room by itself.
  const helps = use.heldBy === 'conversation' && (fullness === 'near' || fullness === 'critical' || fullness === 'over')
  return (
    <div className="context-line" data-fullness={fullness}>
      <ContextRuler use={use} isTall={false} />
      {helps && (
        <p className="context-warning" data-fullness={fullness}>
          <span>{say(WARNINGS[fullness])}</span>
          <button type="button" className="link-button" onClick={remedies.summarise}>
            {say('context.summarise')}
          </button>
        </p>
      )}
      <button
        type="button"
        className="context-words"
        data-fullness={fullness}
        aria-label={say('context.open-inspector', { shown: usedWords(use), spoken: spokenUse(use) })}
        onClick={() => setDock('inspector')}
      >
        {helps && <Glyph name={fullness === 'near' ? 'waiting' : 'failed'} lively={false} />}
        {isPhone ? shortUseWords(use) : usedWords(use)}
      </button>
    </div>
  )
}

const WARNINGS = {
  near: 'context.nearly-full-now',
  critical: 'context.almost-out-of-room',
  over: 'context.more-than-the-model-takes',
} as const
