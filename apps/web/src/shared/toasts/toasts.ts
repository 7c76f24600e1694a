import { useSyncExternalStore } from 'react'

/** Something that is said for a while, beside what it is about. */
export interface Toast {
  readonly id: number
  readonly words: string
  readonly tone: 'plain' | 'problem'
  /** Takes back what was done; null where there is nothing to take back. */
  readonly undo: (() => void) | null
}

/** How long a toast stays, in milliseconds. One that is read or pointed at stays. */
const SHOWN_MS = { plain: 8_000, problem: 20_000 } as const

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Says that something was done. */
export function tell(words: string, undo: (() => void) | null): void {
  add({ words, tone: 'plain', undo })
}

/** Says that something was not done, and why. */
export function tellProblem(words: string): void {
  add({ words, tone: 'problem', undo: null })
}

/** Takes a toast away. */
export function dismiss(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  set(toasts.filter((toast) => toast.id !== id))
}

/** Keeps a toast as long as somebody is at it. */
export function hold(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

/** Lets it go again after its time. */
export function release(id: number): void {
  const toast = toasts.find((known) => known.id === id)
  if (!toast || timers.has(id)) return
  timers.set(
    id,
    setTimeout(() => dismiss(id), SHOWN_MS[toast.tone]),
  )
}

/** What is said now. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
}

function add(toast: Omit<Toast, 'id'>): void {
  const id = nextId
  nextId += 1
  // Said again, it stands once. The newest three: what is older has been read, or is in the list that it is about.
  for (const { id: old, words } of toasts) if (words === toast.words) dismiss(old)
  for (const { id: old } of toasts.slice(0, -2)) dismiss(old)
  set([...toasts, { ...toast, id }])
  release(id)
}

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of [...listeners]) listener()
}
