import { useSyncExternalStore } from 'react'

const CHANGED = 'holdfast:dock'

/** Whether the inspector is open; it stands in the address, so that Back closes it and a link opens it. */
export function useDock(): { readonly isOpen: boolean; readonly toggle: () => void } {
  const isOpen = useSyncExternalStore(subscribe, read)
  return { isOpen, toggle: toggleDock }
}

/** Opens the inspector, or closes it when it is open. */
export function toggleDock(): void {
  setDock(!read())
}

/** Opens or closes the inspector. */
export function setDock(isOpen: boolean): void {
  if (read() === isOpen) return
  const url = new URL(location.href)
  if (isOpen) url.searchParams.set('dock', 'inspector')
  else url.searchParams.delete('dock')
  history.pushState(history.state, '', url)
  dispatchEvent(new Event(CHANGED))
}

function read(): boolean {
  return new URLSearchParams(location.search).get('dock') === 'inspector'
}

function subscribe(listener: () => void): () => void {
  const names = [CHANGED, 'popstate', 'holdfast:route']
  for (const name of names) addEventListener(name, listener)
  return () => {
    for (const name of names) removeEventListener(name, listener)
  }
}
