import { useEffect, useRef, useSyncExternalStore } from 'react'
import { navigate, pathOf } from './route.ts'

const CHANGED = 'holdfast:message-target'

/** How long a message that was looked for stays marked, in milliseconds. */
const MARKED_MS = 2_000

/** A message that an address leads to. */
export interface MessageTarget {
  readonly seq: number
  /** Another for every time that somebody asks for it. */
  readonly round: number
}

let round = 0

/** The address of a message. */
export function messagePath(conversationId: string, seq: number): string {
  return `${pathOf({ type: 'conversation', conversationId })}?m=${seq}`
}

/** Opens a conversation at a message. */
export function goToMessage(conversationId: string, seq: number): void {
  navigate({ type: 'conversation', conversationId }, 'push')
  const url = new URL(location.href)
  url.searchParams.set('m', String(seq))
  history.replaceState(history.state, '', url)
  round += 1
  dispatchEvent(new Event(CHANGED))
}

/** The message that the present address leads to; null for none. */
export function useMessageTarget(): MessageTarget | null {
  const key = useSyncExternalStore(subscribe, () => `${new URLSearchParams(location.search).get('m') ?? ''} ${round}`)
  const [seq, inRound] = key.split(' ').map(Number)
  return seq === undefined || inRound === undefined || !Number.isInteger(seq) || seq <= 0
    ? null
    : { seq, round: inRound }
}

/** What showing a message needs. */
export interface ShowTarget {
  readonly target: MessageTarget | null
  /** Whether the entries from there on are here; null while nothing of the conversation is. */
  readonly isHere: boolean | null
  readonly loadOlder: () => void
  /** Brings its part into view. @returns the element of the message, once it is drawn; null where there is none. */
  readonly reveal: (seq: number) => Promise<HTMLElement | null>
}

/** Reads back to the message, brings it into view, gives it the focus and marks it for a moment. Once for each time it is asked for. */
export function useShownTarget({ target, isHere, loadOlder, reveal }: ShowTarget): void {
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const key = target ? `${target.seq} ${target.round}` : null
    if (!target || isHere === null || shown.current === key) return
    if (!isHere) {
      loadOlder()
      return
    }
    shown.current = key
    void reveal(target.seq).then(mark)
  })
}

function mark(element: HTMLElement | null): void {
  if (!element) return
  element.focus({ preventScroll: true })
  element.dataset['found'] = 'true'
  setTimeout(() => delete element.dataset['found'], MARKED_MS)
}

function subscribe(listener: () => void): () => void {
  const names = [CHANGED, 'popstate', 'holdfast:route']
  for (const name of names) addEventListener(name, listener)
  return () => {
    for (const name of names) removeEventListener(name, listener)
  }
}
