import type { ConversationStore } from '@holdfast/client'
import { useEffect, useMemo, useRef } from 'react'
import { navigate, toggleDock } from '../../shared/address.ts'
import { chordOf } from '../../shared/keys/chord.ts'
import { type ShortcutId, shortcutOf } from '../../shared/keys/shortcuts.ts'
import { say } from '../../shared/language/say.ts'
import { choose, readPreferences } from '../../shared/preferences/preferences.ts'
import { tell, tellProblem } from '../../shared/toasts/toasts.ts'
import { askToFind } from '../../thread/find/ask-to-find.ts'
import { isBusy } from '../workspace.tsx'

/** What the shortcuts act on. */
interface PressDeps {
  readonly store: ConversationStore | null
  readonly openPalette: () => void
  readonly showList: () => void
}

/** What each shortcut does. */
export function usePress({ store, openPalette, showList }: PressDeps): (id: ShortcutId) => void {
  const latest = useRef({ store, openPalette, showList })
  useEffect(() => {
    latest.current = { store, openPalette, showList }
  })
  return useMemo(() => (id: ShortcutId) => pressed(id, latest.current), [])
}

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
      if (id === null || (id === 'find' && !canFind())) return
      event.preventDefault()
      latest.current(id)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

function pressed(id: ShortcutId, { store, openPalette, showList }: PressDeps): void {
  switch (id) {
    case 'palette':
      openPalette()
      return
    case 'search':
      choose({ isListShown: true })
      if (matchMedia('(max-width: 899px)').matches) showList()
      focusSoon('[data-region="list"] input[type="search"]')
      return
    case 'find':
      askToFind()
      return
    case 'new-conversation':
      navigate({ type: 'new' }, 'push')
      focusSoon('#composer-input')
      return
    case 'stop':
      if (store && isBusy(store)) store.stop('stop')
      return
    case 'focus-composer':
      focusSoon('#composer-input')
      return
    case 'toggle-list':
      choose({ isListShown: !readPreferences().isListShown })
      return
    case 'toggle-inspector':
      if (store) toggleDock()
      return
    case 'next-region':
      moveToRegion(1)
      return
    case 'previous-region':
      moveToRegion(-1)
      return
    case 'copy-code':
      void copyLastCode()
      return
    case 'keyboard-help':
      navigate({ type: 'settings', section: 'keyboard' }, 'push')
      return
    case 'settings':
      navigate({ type: 'settings', section: 'appearance' }, 'push')
  }
}

/** Where there is a thread, and its own field is not in use already: a second press is the browser's. */
function canFind(): boolean {
  const { activeElement } = document
  if (activeElement?.closest('dialog, [data-testid=find-bar]')) return false
  return document.querySelector('.thread [data-seq]') !== null
}

/** After the page has been drawn: what is to have the focus may not be there yet. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}

async function copyLastCode(): Promise<void> {
  const code = [...document.querySelectorAll('.code-block pre')].at(-1)?.textContent
  if (!code) tellProblem(say('keys.there-is-no-block-of'))
  else await navigator.clipboard.writeText(code).then(() => tell(say('keys.code-copied'), null))
}

/** The parts of the page, in the order of F6. */
const REGIONS = [
  '[data-region="list"]',
  '[data-region="settings-list"]',
  '[role="log"], .settings-page',
  '[data-region="composer"]',
  '[data-region="dock"]',
] as const

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex="0"]'

/** Where the focus was in each part when it was left. */
const left = new Map<string, WeakRef<Element>>()

/** Moves the focus to the next or previous part, to where it was there before. */
function moveToRegion(step: 1 | -1): void {
  const { activeElement } = document
  const there = REGIONS.flatMap((selector) => {
    const region = document.querySelector<HTMLElement>(selector)
    return region ? [{ selector, region }] : []
  })
  const index = there.findIndex(({ region }) => region.contains(activeElement))
  const from = there[index]
  if (from && activeElement) left.set(from.selector, new WeakRef(activeElement))
  const start = index < 0 && step < 0 ? 0 : index
  const to = there[(start + step + there.length) % there.length]
  if (to) focusIn(to.region, left.get(to.selector)?.deref())
}

function focusIn(region: HTMLElement, before: Element | undefined): void {
  if (before instanceof HTMLElement && region.contains(before)) before.focus()
  else if (region.matches(FOCUSABLE)) region.focus()
  else region.querySelector<HTMLElement>(FOCUSABLE)?.focus()
}
