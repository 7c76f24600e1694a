import { useSyncExternalStore } from 'react'

const CHANGED = 'holdfast:dock'

/** What can stand beside a conversation. */
export type DockTab = 'inspector' | 'tools'

/** What stands beside the conversation; it stands in the address, so that Back closes it and a link opens it. */
export function useDock(): { readonly tab: DockTab | null; readonly isOpen: boolean; readonly toggle: () => void } {
  const tab = useSyncExternalStore(subscribe, dockTab)
  return { tab, isOpen: tab !== null, toggle: toggleDock }
}

/** Opens the inspector, or closes what is open. */
export function toggleDock(): void {
  setDock(dockTab() === null ? 'inspector' : null)
}

/** Opens a tab, or closes the dock. */
export function setDock(tab: DockTab | null): void {
  if (dockTab() === tab) return
  const url = new URL(location.href)
  if (tab === null) url.searchParams.delete('dock')
  else url.searchParams.set('dock', tab)
  history.pushState(history.state, '', url)
  dispatchEvent(new Event(CHANGED))
}

/** The tab that the address names. */
export function dockTab(): DockTab | null {
  const named = new URLSearchParams(location.search).get('dock')
  return named === 'inspector' || named === 'tools' ? named : null
}

function subscribe(listener: () => void): () => void {
  const names = [CHANGED, 'popstate', 'holdfast:route']
  for (const name of names) addEventListener(name, listener)
  return () => {
    for (const name of names) removeEventListener(name, listener)
  }
}
