import { say } from '../shared/language/say.ts'
import type { Place } from '../workspaces/place-picker.tsx'

/** Asks where a conversation is to work, before its first message goes. [UI88] */
export function PlaceQuestion({ onChoose }: { readonly onChoose: (place: Place) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form, and this is a question with two answers
    <div className="place-question" role="group" aria-label={say('presets.where')} data-testid="place-question">
      <span>{say('presets.where')}</span>
      <button
        type="button"
        className="button"
        ref={(button) => button?.focus({ preventScroll: true })}
        onClick={() => onChoose('in-place')}
      >
        {say('presets.in-the-folder')}
      </button>
      <button type="button" className="button" onClick={() => onChoose('worktree')}>
        {say('presets.in-a-worktree')}
      </button>
    </div>
  )
}
