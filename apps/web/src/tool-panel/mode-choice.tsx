import type { ToolMode } from '@holdfast/protocol'
import { useState } from 'react'
import { shortCount } from '../format.ts'
import { Said } from '../language/said.tsx'
import { say } from '../language/say.ts'
import { breaksCache, MODES } from './tool-groups.ts'

interface ModeChoiceProps {
  readonly mode: ToolMode
  /** Tokens of the context, which a switch makes the provider read anew. */
  readonly usedTokens: number
  readonly onChoose: (mode: ToolMode) => void
}

/** Which tools the model is shown. A switch that breaks the cache says so before it is made. [TOOL10] */
export function ModeChoice({ mode, usedTokens, onChoose }: ModeChoiceProps) {
  const [wanted, want] = useState<ToolMode | null>(null)
  const chosen = MODES.find((choice) => choice.mode === mode)
  const asked = MODES.find((choice) => choice.mode === wanted)

  function choose(next: ToolMode): void {
    if (next === mode) want(null)
    else if (usedTokens > 0 && breaksCache(mode, next)) want(next)
    else onChoose(next)
  }

  return (
    <>
      <fieldset className="mode-choice" data-testid="tool-mode" data-state={mode}>
        <legend className="visually-hidden">{say('tool-panel.which-tools-the-model-is')}</legend>
        {MODES.map(({ mode: own, name }) => (
          <label key={own} className={own === wanted ? 'wanted' : undefined}>
            <input type="radio" name="tool-mode" checked={own === mode} onChange={() => choose(own)} />
            {say(name)}
          </label>
        ))}
      </fieldset>
      <p className="meta">
        {chosen && (
          <>
            <strong>{say(chosen.name)}</strong> — {say(chosen.says)}
          </>
        )}
      </p>
      {asked && (
        <div className="mode-price" role="status" data-testid="tool-mode-price">
          <p>
            <Said
              of="tool-panel.breaks-cache"
              values={{ mode: say(asked.name), tokens: shortCount(usedTokens) }}
              tags={{ strong: (inner) => <strong>{inner}</strong> }}
            />
          </p>
          <button
            type="button"
            className="button small"
            onClick={() => {
              want(null)
              onChoose(asked.mode)
            }}
          >
            {say('common.switch')}
          </button>
          <button type="button" className="button small" onClick={() => want(null)}>
            {say('tool-panel.keep', { mode: chosen ? say(chosen.name) : mode })}
          </button>
        </div>
      )}
    </>
  )
}
