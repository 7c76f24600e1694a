import { useSyncExternalStore } from 'react'

const KEY = 'holdfast.system-entries'
const CHANGED = 'holdfast:system-entries'

/** Whether requests for titles and summaries are shown in the thread; kept in this browser. */
export function useSystemEntries(): readonly [boolean, (isShown: boolean) => void] {
  const isShown = useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) === 'shown')
  return [isShown, show]
}

function show(isShown: boolean): void {
  if (isShown) localStorage.setItem(KEY, 'shown')
  else localStorage.removeItem(KEY)
  dispatchEvent(new Event(CHANGED))
}

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener)
  addEventListener('storage', listener)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', listener)
  }
}
