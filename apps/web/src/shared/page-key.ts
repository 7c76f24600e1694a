import type { PageKeyKeeper } from '@holdfast/client'
import { PAGE_KEY_FRAGMENT } from '@holdfast/protocol'
import { BASE_PATH } from './address.ts'

/** Two installations may stand under one origin. */
const KEY = `holdfast.page-key${BASE_PATH}`

/**
 * The key that the page shows beside its cookie. Other ports of the same host are sent the cookie too; they cannot read
 * the storage of this one. [SEC19]
 */
export const pageKey: PageKeyKeeper = {
  load: () => localStorage.getItem(KEY),
  save: (key) => localStorage.setItem(KEY, key),
}

/** Takes the key that a link of the terminal brought behind the `#` of the address, and takes it off there. */
export function takePageKey(): void {
  const brought = location.hash.slice(1)
  if (!brought.startsWith(PAGE_KEY_FRAGMENT)) return
  pageKey.save(brought.slice(PAGE_KEY_FRAGMENT.length))
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Calls when this browser comes in by another tab. */
export function onOtherPageKey(listener: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY && newValue !== null) listener()
  })
}
