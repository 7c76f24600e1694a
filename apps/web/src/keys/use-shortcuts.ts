import { useEffect, useRef } from 'react'
import { readPreferences } from '../preferences/preferences.ts'
import { chordOf } from './chord.ts'
import { type ShortcutId, shortcutOf } from './shortcuts.ts'

/** Calls what a chord means, wherever the focus is. A press of several keys that writes a character means nothing else. */
export function useShortcuts(run: (id: ShortcutId) => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.isComposing || event.defaultPrevented) return
      const chord = chordOf(event)
      const id = chord === null ? null : shortcutOf(chord, readPreferences())
      if (id === null) return
      event.preventDefault()
      latest.current(id)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
