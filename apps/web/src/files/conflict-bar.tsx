import { type PlainKey, say } from '../shared/language/say.ts'

/** Which version is shown. */
export type ConflictSide = 'mine' | 'theirs' | 'both'

const SIDES: readonly (readonly [side: ConflictSide, words: PlainKey])[] = [
  ['mine', 'tree.mine'],
  ['theirs', 'tree.theirs'],
  ['both', 'tree.both'],
]

interface ConflictBarProps {
  readonly side: ConflictSide
  /** Whether the file is not there any more. */
  readonly isGone: boolean
  readonly onSide: (side: ConflictSide) => void
  readonly onKeepMine: () => void
  readonly onTakeTheirs: () => void
}

/** Somebody else wrote the file too: both versions are looked at before one counts. [UI70] */
export function ConflictBar({ side, isGone, onSide, onKeepMine, onTakeTheirs }: ConflictBarProps) {
  return (
    <div className="conflict-bar" role="alert" data-testid="file-conflict">
      <p>{say(isGone ? 'tree.conflict-gone' : 'tree.conflict')}</p>
      <div className="acts">
        {!isGone && (
          <fieldset className="conflict-sides" aria-label={say('tree.versions')}>
            {SIDES.map(([name, words]) => (
              <button
                key={name}
                type="button"
                className="button small"
                aria-pressed={name === side}
                onClick={() => onSide(name)}
              >
                {say(words)}
              </button>
            ))}
          </fieldset>
        )}
        <button type="button" className="button small primary" onClick={onKeepMine}>
          {say('tree.save-mine')}
        </button>
        <button type="button" className="button small" onClick={onTakeTheirs}>
          {say(isGone ? 'tree.let-mine-go' : 'tree.take-theirs')}
        </button>
      </div>
    </div>
  )
}
