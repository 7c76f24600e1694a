import { useEffect, useSyncExternalStore } from 'react'

/** What appears takes no answer for this long, in milliseconds. */
const ARM_MS = 600

const armedAt = new Map<string, number>()
/** Requests of which something has not been in sight yet. */
const unread = new Set<string>()
/** Requests whose end was in sight: a card that is drawn anew need not be read again. */
const read = new Set<string>()
/** How much of what requests would do was not shown, where that is something. */
const unseen = new Map<string, Unseen>()
const listeners = new Set<() => void>()

/** How much of what a request would do was not shown. */
export interface Unseen {
  readonly lines: number
  readonly characters: number
  /** The characters of all that there is. */
  readonly of: number
}

/** Whether the request has been on the screen long enough, and to its end, to be allowed; renders again when it has. */
export function useArmed(requestId: string): boolean {
  useArming(requestId)
  return useSyncExternalStore(listen, () => isArmed(requestId))
}

/** Whether all of them can be allowed; the first that has not been read to its end keeps back the others. */
export function useArmedTogether(requestIds: readonly string[]): 'armed' | 'arming' | 'unread' | 'unseen' {
  return useSyncExternalStore(listen, () => {
    if (requestIds.some((requestId) => unseen.has(requestId))) return 'unseen'
    if (requestIds.some((requestId) => unread.has(requestId))) return 'unread'
    return requestIds.every(isArmed) ? 'armed' : 'arming'
  })
}

/** How much of it was not shown, which is said where it is allowed; null where all was. [UI122] */
export function useUnseen(requestId: string): Unseen | null {
  return useSyncExternalStore(listen, () => unseen.get(requestId) ?? null)
}

/** Whether it has been there long enough to be denied: for that nothing need be read. [UI32] */
export function useDeniable(requestId: string): boolean {
  useArming(requestId)
  return useSyncExternalStore(listen, () => isDeniable(requestId))
}

function useArming(requestId: string): void {
  useEffect(() => {
    const due = armedAt.get(requestId) ?? performance.now() + ARM_MS
    armedAt.set(requestId, due)
    return tellAt(due, tellAll)
  }, [requestId])
}

/** Tells when it is time, by `performance.now()`: a timer may come a moment before. @returns what takes it back. [UI32] */
export function tellAt(due: number, tell: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const look = (): void => {
    const leftMs = due - performance.now()
    if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs))
    else tell()
  }
  look()
  return () => clearTimeout(timer)
}

/** Whether the request can be allowed at the moment of asking. */
export function isArmed(requestId: string): boolean {
  return !unread.has(requestId) && isDeniable(requestId)
}

/** Whether all that the request would do was shown: what does not say what is missing allows it only then. [UI122] */
export function isShownWhole(requestId: string): boolean {
  return !unseen.has(requestId)
}

/** Whether the request can be denied at the moment of asking. */
export function isDeniable(requestId: string): boolean {
  return (armedAt.get(requestId) ?? Number.POSITIVE_INFINITY) <= performance.now()
}

/** Has a request wait until the end of what it would do was in sight. [UI32] */
export function waitForReading(requestId: string): void {
  if (read.has(requestId)) return
  unread.add(requestId)
  tellAll()
}

/** Says that the end of what a request would do was in sight. */
export function noteRead(requestId: string): void {
  if (read.has(requestId)) return
  read.add(requestId)
  unread.delete(requestId)
  tellAll()
}

/** Says how much of what a request would do was not shown; a card that is drawn anew has shown what it has shown before. */
export function noteUnseen(requestId: string, now: Unseen): void {
  const known = unseen.get(requestId)
  const isLess = known === undefined || known.of !== now.of || now.characters < known.characters
  if (now.characters === 0) unseen.delete(requestId)
  else if (isLess) unseen.set(requestId, now)
  else return
  tellAll()
}

/** Whether the end of what a request would do was in sight. */
export function wasRead(requestId: string): boolean {
  return read.has(requestId)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tellAll(): void {
  for (const listener of listeners) listener()
}
