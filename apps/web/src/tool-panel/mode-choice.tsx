import type { ToolMode } from '@holdfast/protocol'
import { say } from '../language/say.ts'
import { MODES } from './tool-groups.ts'

interface ModeChoiceProps {
  readonly mode: ToolMode
  /** The mode whose price is shown; null for none. */
  readonly wanted: ToolMode | null
  readonly onChoose: (mode: ToolMode) => void
}

/** Which tools the model is shown. [TOOL10] */
export function ModeChoice({ mode, wanted, onChoose }: ModeChoiceProps) {
  const chosen = MODES.find((choice) => choice.mode === mode)
  return (
    <>
      <fieldset className="mode-choice" data-testid="tool-mode" data-state={mode}>
        <legend className="visually-hidden">{say('tool-panel.which-tools-the-model-is')}</legend>
        {MODES.map(({ mode: own, name }) => (
          <label key={own} className={own === wanted ? 'wanted' : undefined}>
            <input type="radio" name="tool-mode" checked={own === mode} onChange={() => onChoose(own)} />
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
    </>
  )
}
