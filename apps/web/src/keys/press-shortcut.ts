import type { ConversationStore } from '@holdfast/client'
import { useEffect, useMemo, useRef } from 'react'
import { toggleDock } from '../dock/use-dock.ts'
import { say } from '../language/say.ts'
import { choose, readPreferences } from '../preferences/preferences.ts'
import { navigate } from '../route.ts'
import { tell, tellProblem } from '../toasts/toasts.ts'
import { isBusy } from '../workspace.tsx'
import { moveToRegion } from './regions.ts'
import type { ShortcutId } from './shortcuts.ts'

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

/** After the page has been drawn: what is to have the focus may not be there yet. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}

async function copyLastCode(): Promise<void> {
  const code = [...document.querySelectorAll('.code-block pre')].at(-1)?.textContent
  if (!code) tellProblem(say('keys.there-is-no-block-of'))
  else await navigator.clipboard.writeText(code).then(() => tell(say('keys.code-copied'), null))
}
