import { useSyncExternalStore } from 'react'

/** The path under which the page stands; empty where it stands at the root. The server writes it into the page. */
export const BASE_PATH = document.querySelector('meta[name="holdfast-base"]')?.getAttribute('content') ?? ''

/** The pages of the settings, in their order. */
export const SETTINGS_SECTIONS = [
  { section: 'appearance', name: 'settings.appearance', also: 'settings.also-appearance' },
  { section: 'models', name: 'settings.models-and-providers', also: 'settings.also-models' },
  { section: 'inbox', name: 'inbox.page', also: 'inbox.also' },
  { section: 'schedules', name: 'schedules.page', also: 'schedules.also' },
  { section: 'limits', name: 'limits.page', also: 'limits.also' },
  { section: 'agents', name: 'settings.agents', also: 'settings.also-agents' },
  { section: 'presets', name: 'presets.page', also: 'presets.also' },
  { section: 'workspaces', name: 'workspaces.page', also: 'workspaces.also' },
  { section: 'tools', name: 'settings.tools-and-servers', also: 'settings.also-tools' },
  { section: 'permissions', name: 'settings.permissions', also: 'settings.also-permissions' },
  { section: 'memories', name: 'settings.memories', also: 'settings.also-memories' },
  { section: 'notifications', name: 'notify.notifications', also: 'notify.also' },
  { section: 'keyboard', name: 'settings.keyboard', also: 'settings.also-keyboard' },
  { section: 'data', name: 'settings.data', also: 'settings.also-data' },
  { section: 'usage', name: 'settings.usage', also: 'settings.also-usage' },
  { section: 'administration', name: 'administration.page', also: 'administration.also' },
  { section: 'about', name: 'settings.about', also: 'settings.also-about' },
] as const

/** One of them. */
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]['section']

/** What the address shows. */
export type Route =
  | { readonly type: 'conversation'; readonly conversationId: string }
  | { readonly type: 'new' }
  | { readonly type: 'settings'; readonly section: SettingsSection }
  /** The start page: the last conversation, or the first run. */
  | { readonly type: 'start' }

/** What can be open beside a conversation, in the order of its tabs. */
export const DOCK_TABS = ['inspector', 'tools', 'canvas', 'files', 'changes', 'preview', 'terminal'] as const
export type DockTab = (typeof DOCK_TABS)[number]

/** A message that an address leads to. */
export interface MessageTarget {
  readonly seq: number
  /** Another for every time that somebody asks for it. */
  readonly round: number
}

/** The route of the present address; renders again when it changes. */
export function useRoute(): Route {
  const key = useSyncExternalStore(subscribe, readRouteKey)
  if (key.startsWith('/c/'))
    return { type: 'conversation', conversationId: decodeURIComponent(key.slice('/c/'.length)) }
  if (key.startsWith('/settings'))
    return { type: 'settings', section: toSettingsSection(key.slice('/settings/'.length)) }
  return { type: key === 'new' ? 'new' : 'start' }
}

/** What is open beside the conversation; it stands in the address, so that Back closes it and a link opens it. */
export function useDock(): DockTab | null {
  return useSyncExternalStore(subscribe, readDock)
}

/** The message that the present address leads to; null for none. */
export function useMessageTarget(): MessageTarget | null {
  const key = useSyncExternalStore(subscribe, readTargetKey)
  const [seq, inRound] = key.split(' ').map(Number)
  return seq === undefined || inRound === undefined || !Number.isInteger(seq) || seq <= 0
    ? null
    : { seq, round: inRound }
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

/** The address of a message. */
export function messagePath(conversationId: string, seq: number): string {
  return `${pathOf({ type: 'conversation', conversationId })}?m=${seq}`
}

/** Goes to an address without loading the page. What is open beside the conversation stays open, but its canvas. */
export function navigate(route: Route, how: 'push' | 'replace'): void {
  go({ path: pathOf(route), isNew: route.type === 'new', seq: null, how })
}

/** Opens a conversation at a message. */
export function goToMessage(conversationId: string, seq: number): void {
  round += 1
  go({ path: pathOf({ type: 'conversation', conversationId }), isNew: false, seq, how: 'push' })
}

/** What is open beside the conversation now. */
export function readDock(): DockTab | null {
  const named = new URLSearchParams(location.search).get('dock')
  return DOCK_TABS.find((tab) => tab === named) ?? null
}

/** Opens a tab, or closes what is open. */
export function setDock(tab: DockTab | null): void {
  if (readDock() === tab) return
  const url = new URL(location.href)
  if (tab === null) url.searchParams.delete('dock')
  else url.searchParams.set('dock', tab)
  history.pushState(history.state, '', url)
  tellListeners()
}

/** Which changes the address shows: `turn`, `conversation`, `base`, or `run:` with the id of a run. */
export function useChangesOf(): string {
  return useSyncExternalStore(subscribe, readChangesOf)
}

/** Opens changes to be reviewed. */
export function setChangesOf(named: string): void {
  if (readDock() === 'changes' && readChangesOf() === named) return
  const url = new URL(location.href)
  url.searchParams.set('dock', 'changes')
  url.searchParams.set('of', named)
  history.pushState(history.state, '', url)
  tellListeners()
}

/** Opens the inspector, or closes what is open. */
export function toggleDock(): void {
  setDock(readDock() === null ? 'inspector' : null)
}

function readChangesOf(): string {
  return new URLSearchParams(location.search).get('of') ?? 'conversation'
}

/** Says where a change of the address by the page itself is heard; the browser tells of its own changes. */
const CHANGED = 'holdfast:address'

/** How often somebody asked for a message. */
let round = 0

interface Step {
  readonly path: string
  readonly isNew: boolean
  /** The message that is asked for; null for none. */
  readonly seq: number | null
  readonly how: 'push' | 'replace'
}

function go({ path, isNew, seq, how }: Step): void {
  const dock = dockAt(path)
  const search = new URLSearchParams()
  if (dock !== null) search.set('dock', dock)
  if (seq !== null) search.set('m', String(seq))
  const address = search.size === 0 ? path : `${path}?${search}`
  if (how === 'push') history.pushState({ isNew }, '', address)
  else history.replaceState({ isNew }, '', address)
  tellListeners()
}

/** What is open at a path to which one goes: a canvas is its conversation's, and closes with it. [UI36] */
function dockAt(path: string): DockTab | null {
  const open = readDock()
  const isLeft = path !== location.pathname && !path.startsWith(`${BASE_PATH}/settings/`)
  return open === 'canvas' && isLeft && location.pathname.startsWith(`${BASE_PATH}/c/`) ? null : open
}

function tellListeners(): void {
  dispatchEvent(new Event(CHANGED))
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(CHANGED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(CHANGED, listener)
  }
}

function readRouteKey(): string {
  const path = location.pathname.slice(BASE_PATH.length)
  if (/^\/(c\/|settings(\/|$))/.test(path)) return path
  if (readWorkspaceParameter() !== null) return 'new'
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'isNew' in state && state.isNew === true ? 'new' : 'start'
}

/** The workspace in which the address begins a conversation; null where it names none. [CLI15] */
export function readWorkspaceParameter(): string | null {
  return new URLSearchParams(location.search).get('workspace')
}

function readTargetKey(): string {
  return `${new URLSearchParams(location.search).get('m') ?? ''} ${round}`
}

/** The page of an address; the first for one that there is not. */
function toSettingsSection(text: string): SettingsSection {
  return SETTINGS_SECTIONS.find(({ section }) => section === text)?.section ?? 'appearance'
}
