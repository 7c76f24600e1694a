import type { ToolMode } from '@holdfast/protocol'
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
        <legend className="visually-hidden">Which tools the model is shown</legend>
        {MODES.map(({ mode: own, name }) => (
          <label key={own} className={own === wanted ? 'wanted' : undefined}>
            <input type="radio" name="tool-mode" checked={own === mode} onChange={() => onChoose(own)} />
            {name}
          </label>
        ))}
      </fieldset>
      <p className="meta">
        <strong>{chosen?.name}</strong> — {chosen?.says}
      </p>
    </>
  )
}
