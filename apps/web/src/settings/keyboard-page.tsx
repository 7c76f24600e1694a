import { type KeyboardEvent, useState } from 'react'
import { chordOf, chordWords } from '../shared/keys/chord.ts'
import { chordFor, FIXED_KEYS, holderOf, SHORTCUTS, type Shortcut } from '../shared/keys/shortcuts.ts'
import { say } from '../shared/language/say.ts'
import { choose, usePreference } from '../shared/preferences/preferences.ts'

/** The keys: which there are, where they act, and other ones in their place. */
export function KeyboardPage() {
  const chords = usePreference('chords')
  const hasShortcuts = usePreference('hasShortcuts')
  return (
    <section aria-label={say('settings.keyboard')}>
      <label className="check">
        <input
          type="checkbox"
          checked={hasShortcuts}
          onChange={({ target }) => choose({ hasShortcuts: target.checked })}
        />
        {say('settings.shortcuts-act-anywhere-in-the')}
      </label>
      <h2>{say('settings.anywhere')}</h2>
      <table className="key-table">
        <thead>
          <tr>
            <th scope="col">{say('settings.what')}</th>
            <th scope="col">{say('settings.keys')}</th>
            <th scope="col">
              <span className="visually-hidden">{say('common.change')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {SHORTCUTS.map((shortcut) => (
            <ShortcutRow key={shortcut.id} shortcut={shortcut} chosen={{ chords, hasShortcuts }} />
          ))}
        </tbody>
      </table>
      <h2>{say('settings.where-the-focus-is')}</h2>
      <table className="key-table">
        <thead>
          <tr>
            <th scope="col">{say('settings.what')}</th>
            <th scope="col">{say('settings.keys')}</th>
            <th scope="col">{say('settings.where')}</th>
          </tr>
        </thead>
        <tbody>
          {FIXED_KEYS.map(({ keys, name, where }) => (
            <tr key={`${where} ${name}`}>
              <td>{say(name)}</td>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{chordWords(key)}</kbd>
                ))}
              </td>
              <td className="meta">{say(where)}</td>
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
function ShortcutRow({ shortcut: { id, name: key, chord: usual }, chosen }: ShortcutRowProps) {
  const [isListening, setListening] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const chord = chordFor(id, chosen)
  const name = say(key)

  function onKeyDown(event: KeyboardEvent): void {
    if (!isListening || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    const next = chordOf(event.nativeEvent)
    if (next === null) return
    setListening(false)
    if (next === 'Escape') return
    const holder = holderOf(next, id, chosen)
    if (holder) setProblem(say('settings.taken-by', { chord: chordWords(next), name: say(holder.name) }))
    else if (!/^(Mod|Alt|F\d)|Shift\+(F\d|Escape)/.test(next))
      setProblem(say('settings.needed-for-writing', { chord: chordWords(next) }))
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
        <kbd>{isListening ? say('settings.press-keys') : chordWords(chord)}</kbd>
      </td>
      <td className="key-acts">
        <button
          type="button"
          className="link-button"
          aria-label={say('settings.change-the-keys-for-name', { name })}
          aria-pressed={isListening}
          onClick={() => {
            setProblem(null)
            setListening(!isListening)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setListening(false)}
        >
          {say('common.change')}
        </button>
        {chord !== usual && (
          <button
            type="button"
            className="link-button"
            aria-label={say('settings.usual-keys-for-name', { name })}
            onClick={() =>
              choose({ chords: Object.fromEntries(Object.entries(chosen.chords).filter(([key]) => key !== id)) })
            }
          >
            {say('settings.usual')}
          </button>
        )}
      </td>
    </tr>
  )
}
