import type { Client } from '@holdfast/client'
import { markHidden } from '@holdfast/conversation'
import { useSyncExternalStore } from 'react'
import { navigate, type Route } from '../address.ts'
import { type PlainKey, say } from '../language/say.ts'
import { choose, readPreferences } from '../preferences/preferences.ts'
import { createHappeningWatch, type Happening, type HappeningKind, type NotifyKind } from './happenings.ts'

/** Who was away for less is told nothing of a turn that ended, in milliseconds. */
const LONG_MS = 20_000

/** Held by a tab as long as somebody looks at it: other tabs of the browser are told by it. */
const LOOKED_AT = 'holdfast.looked-at'

/** What the page itself shows of it. */
interface Missed {
  /** A turn ended while nobody looked. */
  readonly isDone: boolean
  /** It was worth being told, and the browser has not been asked. */
  readonly isOffered: boolean
}

let missed: Missed = { isDone: false, isOffered: false }
const listeners = new Set<() => void>()

/** Tells of what happens while nobody looks, as the preferences say. [UI26] */
export function startNotifying(client: Client): void {
  const watch = createHappeningWatch()
  let hiddenAt: number | null = document.hidden ? Date.now() : null
  let isWorthIt = false
  holdWhileLookedAt()
  document.addEventListener('visibilitychange', () => {
    const wasAway = hiddenAt !== null && Date.now() - hiddenAt > LONG_MS
    hiddenAt = document.hidden ? Date.now() : null
    if (document.hidden) return
    set({ isDone: false, isOffered: missed.isOffered || (wasAway && isWorthIt && mayBeOffered()) })
    isWorthIt = false
  })
  client.conversations.subscribe(() => {
    const { rows, state } = client.conversations.getSnapshot()
    if (state === 'loading') return
    for (const happening of watch.read(rows, Date.now())) {
      if (!document.hidden) continue
      isWorthIt = true
      if (happening.kind === 'finished') set({ ...missed, isDone: true })
      void tellOf(happening)
    }
  })
}

/** What the page shows of what happened while nobody looked. */
export function useMissed(): Missed {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => missed,
  )
}

/** Asks the browser, at the press of a person. */
export async function allowNotifications(): Promise<void> {
  const answer = await Notification.requestPermission()
  choose({ notifies: answer === 'granted', wasNotifyingOffered: true })
  set({ ...missed, isOffered: false })
}

/** The person does not want it, and is not asked again. */
export function declineNotifications(): void {
  choose({ wasNotifyingOffered: true })
  set({ ...missed, isOffered: false })
}

/** Whether this browser can tell anything: only over a trusted line. */
export function canNotify(): boolean {
  return 'Notification' in globalThis && isSecureContext
}

function mayBeOffered(): boolean {
  return canNotify() && Notification.permission === 'default' && !readPreferences().wasNotifyingOffered
}

const WORDS: Readonly<Record<HappeningKind, PlainKey>> = {
  'needs-you': 'notify.needs-you',
  finished: 'notify.is-done',
  failed: 'notify.has-failed',
}

async function tellOf({ kind, row, tookMs }: Happening): Promise<void> {
  if (kind === 'finished' && tookMs < LONG_MS) return
  if (!(await mayTell(kind))) return
  tellByBrowser({
    title: row.title ?? row.firstWords ?? say('common.untitled'),
    body: say(WORDS[kind]),
    tag: `holdfast.${row.id}.${kind}`,
    route: { type: 'conversation', conversationId: row.id },
  })
}

/** Whether the person wants to be told of this by the browser, and looks at no tab of it. */
export async function mayTell(kind: NotifyKind): Promise<boolean> {
  const { notifies, notifyKinds } = readPreferences()
  if (!notifies || !notifyKinds.includes(kind) || !canNotify() || Notification.permission !== 'granted') return false
  return !(await isLookedAt())
}

/** Has the browser tell it. The tag makes one of it, however many tabs tell of it. */
export function tellByBrowser(told: {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly route: Route
}): void {
  const { title, body, tag, route } = told
  const notification = new Notification(markHidden(title), { body, tag, silent: true })
  notification.onclick = () => {
    notification.close()
    globalThis.focus()
    navigate(route, 'push')
  }
}

/** Somebody who looks at any tab of this browser sees it there. */
async function isLookedAt(): Promise<boolean> {
  const { held } = await navigator.locks.query()
  return (held ?? []).some(({ name }) => name === LOOKED_AT)
}

function holdWhileLookedAt(): void {
  if (!canNotify()) return
  let leave: (() => void) | null = null
  function follow(): void {
    const isHere = document.hasFocus() && !document.hidden
    if (isHere === (leave !== null)) return
    leave?.()
    leave = null
    if (!isHere) return
    const { promise, resolve } = Promise.withResolvers<void>()
    leave = resolve
    void navigator.locks.request(LOOKED_AT, { mode: 'shared' }, () => promise)
  }
  follow()
  for (const type of ['focus', 'blur']) addEventListener(type, follow)
  document.addEventListener('visibilitychange', follow)
}

function set(next: Missed): void {
  if (next.isDone === missed.isDone && next.isOffered === missed.isOffered) return
  missed = next
  for (const listener of [...listeners]) listener()
}
