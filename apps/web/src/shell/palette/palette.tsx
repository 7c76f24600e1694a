import type { Client } from '@holdfast/client'
import { markHidden, type SearchHit } from '@holdfast/conversation'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { goToMessage } from '../../shared/address.ts'
import { chordWords } from '../../shared/keys/chord.ts'
import { chordFor } from '../../shared/keys/shortcuts.ts'
import { say } from '../../shared/language/say.ts'
import { readPreferences } from '../../shared/preferences/preferences.ts'
import { MarkedWords } from '../list/marked-words.tsx'
import { type SearchState, useSearch } from '../list/search-results.tsx'
import { type Act, SECTION_NAMES } from './acts.ts'
import { findActs, messageWords } from './find-acts.ts'

interface PaletteProps {
  readonly client: Client
  readonly acts: readonly Act[]
  readonly onClose: () => void
}

/** Everything that can be done, found by its name. The field keeps the focus; the arrows choose. */
export function Palette({ client, acts, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const search = useSearch(client, messageWords(query))
  const found = useMemo(
    () => [...findActs(acts, query), ...(search.type === 'here' ? messageActs(search.value) : [])],
    [acts, query, search],
  )
  const index = Math.min(chosen, found.length - 1)
  const optionId = (at: number) => `${id}-${at}`

  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen row has changed
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [index, found])

  /** The dialog gives the focus back before the act may place it elsewhere. */
  function press(act: Act): void {
    dialog.current?.close()
    act.run()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || found.length === 0) return
    const act = found[index]
    switch (event.key) {
      case 'ArrowDown':
        setChosen((index + 1) % found.length)
        break
      case 'ArrowUp':
        setChosen((index - 1 + found.length) % found.length)
        break
      case 'Enter':
        if (act) press(act)
        break
      default:
        return
    }
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself
    <dialog
      ref={dialog}
      className="palette"
      data-testid="palette"
      aria-label={say('palette.command-palette')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <input
        type="text"
        role="combobox"
        aria-label={say('palette.do-or-open')}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? optionId(index) : undefined}
        aria-autocomplete="list"
        placeholder={say('palette.do-something-or-find-it')}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label={say('palette.found')}>
        {found.map((act, at) => (
          <Option
            key={act.id}
            id={optionId(at)}
            act={act}
            isFirst={found[at - 1]?.section !== act.section}
            isChosen={at === index}
            onPress={() => press(act)}
          />
        ))}
      </div>
      <p className="palette-foot meta" role="status">
        {footWords(query, found.length, search)}
      </p>
    </dialog>
  )
}

function footWords(query: string, count: number, search: SearchState): string {
  if (search.type === 'asking') return say('palette.searching', { count })
  const found =
    count === 0 ? say('palette.nothing-is-called', { words: query.trim() }) : say('palette.count-found', { count })
  if (search.type !== 'failed') return found
  return [found, say('list.messages-could-not-be-searched', { problem: search.problem })].join('. ')
}

interface OptionProps {
  readonly id: string
  readonly act: Act
  readonly isFirst: boolean
  readonly isChosen: boolean
  readonly onPress: () => void
}

function Option({ id, act, isFirst, isChosen, onPress }: OptionProps) {
  const chord = act.shortcut === null ? '' : chordFor(act.shortcut, readPreferences())
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
    <div id={id} role="option" aria-selected={isChosen} className="palette-option" onClick={onPress}>
      <span className="palette-section meta" aria-hidden={!isFirst}>
        {isFirst ? say(SECTION_NAMES[act.section]) : ''}
      </span>
      <span className="palette-name" dir="auto">
        {act.name}
        {act.found && (
          <span className="palette-words">
            <MarkedWords found={act.found} />
          </span>
        )}
      </span>
      {chord !== '' && <kbd>{chordWords(chord)}</kbd>}
    </div>
  )
}

/** Messages in which the words of a query stand: each is opened where they are. */
function messageActs(hits: readonly SearchHit[]): readonly Act[] {
  return hits.map(
    ({ conversationId, seq, title, snippet, highlights }): Act => ({
      id: `message-${conversationId}-${seq}`,
      section: 'messages',
      name: markHidden(title ?? say('common.untitled')),
      also: '',
      shortcut: null,
      found: { snippet, highlights },
      run: () => goToMessage(conversationId, seq),
    }),
  )
}
