import { useSyncExternalStore } from 'react'

/** What can be open beside a conversation, in the order of its tabs. */
export const DOCK_TABS = ['inspector', 'tools', 'canvas'] as const
export type DockTab = (typeof DOCK_TABS)[number]

const CHANGED = 'holdfast:dock'

/** What is open beside the conversation; it stands in the address, so that Back closes it and a link opens it. */
export function useDock(): DockTab | null {
  return useSyncExternalStore(subscribe, readDock)
}

/** Opens a tab, or closes what is open. */
export function setDock(tab: DockTab | null): void {
  if (readDock() === tab) return
  const url = new URL(location.href)
  if (tab === null) url.searchParams.delete('dock')
  else url.searchParams.set('dock', tab)
  history.pushState(history.state, '', url)
  dispatchEvent(new Event(CHANGED))
}

/** Opens the inspector, or closes what is open. */
export function toggleDock(): void {
  setDock(readDock() === null ? 'inspector' : null)
}

/** What is open now. */
export function readDock(): DockTab | null {
  const named = new URLSearchParams(location.search).get('dock')
  return DOCK_TABS.find((tab) => tab === named) ?? null
}

function subscribe(listener: () => void): () => void {
  const names = [CHANGED, 'popstate', 'holdfast:route']
  for (const name of names) addEventListener(name, listener)
  return () => {
    for (const name of names) removeEventListener(name, listener)
  }
}
