import { useSyncExternalStore } from 'react'
import { BASE_PATH } from './base-path.ts'
import { readDock } from './dock/use-dock.ts'
import { type SettingsSection, toSettingsSection } from './settings/sections.ts'

/** What the address shows. */
export type Route =
  | { readonly type: 'conversation'; readonly conversationId: string }
  | { readonly type: 'new' }
  | { readonly type: 'settings'; readonly section: SettingsSection }
  /** The start page: the last conversation, or the first run. */
  | { readonly type: 'start' }

const CHANGED = 'holdfast:route'

/** Goes to an address without loading the page. */
export function navigate(route: Route, how: 'push' | 'replace'): void {
  const state = { isNew: route.type === 'new' }
  // What is open beside the conversation stays open.
  const dock = readDock()
  const path = `${pathOf(route)}${dock === null ? '' : `?dock=${dock}`}`
  if (how === 'push') history.pushState(state, '', path)
  else history.replaceState(state, '', path)
  dispatchEvent(new Event(CHANGED))
}

/** The path of a route. */
export function pathOf(route: Route): string {
  switch (route.type) {
    case 'conversation':
      return `${BASE_PATH}/c/${encodeURIComponent(route.conversationId)}`
    case 'settings':
      return `${BASE_PATH}/settings/${route.section}`
    case 'new':
    case 'start':
      return `${BASE_PATH}/`
  }
}

/** The route of the present address; renders again when it changes. */
export function useRoute(): Route {
  const key = useSyncExternalStore(subscribe, readKey)
  if (key.startsWith('/c/'))
    return { type: 'conversation', conversationId: decodeURIComponent(key.slice('/c/'.length)) }
  if (key.startsWith('/settings'))
    return { type: 'settings', section: toSettingsSection(key.slice('/settings/'.length)) }
  return { type: key === 'new' ? 'new' : 'start' }
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(CHANGED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(CHANGED, listener)
  }
}

function readKey(): string {
  const path = location.pathname.slice(BASE_PATH.length)
  if (/^\/(c|settings)\//.test(path)) return path
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'isNew' in state && state.isNew === true ? 'new' : 'start'
}
