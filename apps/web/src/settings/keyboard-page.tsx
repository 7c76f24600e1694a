import { type KeyboardEvent, useState } from 'react'
import { chordOf, chordWords } from '../keys/chord.ts'
import { chordFor, FIXED_KEYS, holderOf, SHORTCUTS, type Shortcut } from '../keys/shortcuts.ts'
import { choose, usePreference } from '../preferences/preferences.ts'

/** The keys: which there are, where they act, and other ones in their place. */
export function KeyboardPage() {
  const chords = usePreference('chords')
  const hasShortcuts = usePreference('hasShortcuts')
  return (
    <section aria-label="Keyboard">
      <label className="check">
        <input
          type="checkbox"
          checked={hasShortcuts}
          onChange={({ target }) => choose({ hasShortcuts: target.checked })}
        />
        Shortcuts act anywhere in the page. Off: only Stop does.
      </label>
      <h2>Anywhere</h2>
      <table className="key-table">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Keys</th>
            <th scope="col">
              <span className="visually-hidden">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {SHORTCUTS.map((shortcut) => (
            <ShortcutRow key={shortcut.id} shortcut={shortcut} chosen={{ chords, hasShortcuts }} />
          ))}
        </tbody>
      </table>
      <h2>Where the focus is</h2>
      <table className="key-table">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Keys</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {FIXED_KEYS.map(({ keys, name, where }) => (
            <tr key={`${where} ${name}`}>
              <td>{name}</td>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{chordWords(key)}</kbd>
                ))}
              </td>
              <td className="meta">{where}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface ShortcutRowProps {
  readonly shortcut: Shortcut
  readonly chosen: { readonly chords: Readonly<Record<string, string>>; readonly hasShortcuts: boolean }
}

/** Its button takes the next chord that is pressed; Esc leaves it as it was. */
function ShortcutRow({ shortcut: { id, name, chord: usual }, chosen }: ShortcutRowProps) {
  const [isListening, setListening] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const chord = chordFor(id, chosen)

  function onKeyDown(event: KeyboardEvent): void {
    if (!isListening || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    const next = chordOf(event.nativeEvent)
    if (next === null) return
    setListening(false)
    if (next === 'Escape') return
    const holder = holderOf(next, id, chosen)
    if (holder) setProblem(`${chordWords(next)} is taken by “${holder.name}”`)
    else if (!/^(Mod|Alt|F\d)|Shift\+(F\d|Escape)/.test(next))
      setProblem(`${chordWords(next)} is needed for writing; add Ctrl or Alt`)
    else choose({ chords: { ...chosen.chords, [id]: next } })
  }

  return (
    <tr>
      <td>
        {name}
        {problem !== null && (
          <span className="problem" role="alert">
            {problem}
          </span>
        )}
      </td>
      <td>
        <kbd>{isListening ? 'Press keys…' : chordWords(chord)}</kbd>
      </td>
      <td className="key-acts">
        <button
          type="button"
          className="link-button"
          aria-label={`Change the keys for ${name}`}
          aria-pressed={isListening}
          onClick={() => {
            setProblem(null)
            setListening(!isListening)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setListening(false)}
        >
          Change
        </button>
        {chord !== usual && (
          <button
            type="button"
            className="link-button"
            aria-label={`Usual keys for ${name}`}
            onClick={() =>
              choose({ chords: Object.fromEntries(Object.entries(chosen.chords).filter(([key]) => key !== id)) })
            }
          >
            Usual
          </button>
        )}
      </td>
    </tr>
  )
}
