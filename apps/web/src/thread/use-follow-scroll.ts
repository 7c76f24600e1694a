import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Within this of the bottom the view follows new text, in pixels. */
const PIN_PX = 60

/** Further up than this the way back down is offered, in pixels. */
const OFFER_PX = 200

/** Upward movement by the person after which the view stays where it is, in pixels. */
const UNPIN_PX = 3

/** What a person does with wheel, finger or keys moves the view within so long, in milliseconds. */
const INTENT_MS = 500

/** Following new text at the bottom of a scroller. */
export interface FollowScroll {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly isPinned: boolean
  readonly offersJump: boolean
  jump(): void
  /** Stays where it is from now on. */
  release(): void
}

/**
 * Keeps the newest text in view for as long as the person has not moved up. What moves the view is told apart
 * by position: a place that we wrote ourselves is ours, and a row above that changes its height moves the top
 * without taking the view further from the bottom. Where the content changes its height in the same moment, what
 * the rows' measuring moves is told from the person by what wheel, finger and keys did just before. Another `key` opens at the bottom.
 */
export function useFollowScroll(key: string): FollowScroll {
  const scroller = useRef<HTMLDivElement | null>(null)
  const content = useRef<HTMLDivElement | null>(null)
  const pinned = useRef(true)
  const last = useRef({ top: 0, below: 0, height: 0 })
  const intendsUntil = useRef(0)
  const [view, setView] = useState({ isPinned: true, offersJump: false })

  const toBottom = useCallback(() => {
    const element = scroller.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    last.current = { top: element.scrollTop, below: 0, height: element.scrollHeight }
  }, [])

  const show = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const below = element.scrollHeight - element.clientHeight - element.scrollTop
    setView((known) => {
      const offersJump = !pinned.current && (known.offersJump ? below >= PIN_PX : below > OFFER_PX)
      if (known.isPinned === pinned.current && known.offersJump === offersJump) return known
      return { isPinned: pinned.current, offersJump }
    })
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation opens at its end
  useLayoutEffect(() => {
    pinned.current = true
    toBottom()
    show()
  }, [key, toBottom, show])

  useEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (!element || !inner) return
    const observer = new ResizeObserver(() => {
      if (pinned.current) toBottom()
      show()
    })
    observer.observe(inner)
    observer.observe(element)
    function onScroll(): void {
      if (!element) return
      const below = element.scrollHeight - element.clientHeight - element.scrollTop
      const { top, below: belowBefore, height } = last.current
      const isUp = element.scrollTop < top - UNPIN_PX && below > belowBefore + UNPIN_PX
      const isByPerson = element.scrollHeight === height || performance.now() < intendsUntil.current
      if (isUp && !isByPerson && pinned.current) {
        toBottom()
        return
      }
      if (isUp && isByPerson) pinned.current = false
      else if (below <= PIN_PX && element.scrollTop >= top) pinned.current = true
      last.current = { top: element.scrollTop, below, height: element.scrollHeight }
      show()
    }
    function onIntent(event: Event): void {
      const isScrollbar = event.type === 'pointerdown' && event.target === element
      if (event.type === 'pointerdown' && !isScrollbar) return
      // A scrollbar may be held for as long as one likes.
      intendsUntil.current = isScrollbar ? Number.POSITIVE_INFINITY : performance.now() + INTENT_MS
    }
    for (const name of INTENTS) element.addEventListener(name, onIntent, { passive: true })
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      for (const name of INTENTS) element.removeEventListener(name, onIntent)
      element.removeEventListener('scroll', onScroll)
    }
  }, [toBottom, show])

  const jump = useCallback(() => {
    pinned.current = true
    toBottom()
    show()
  }, [toBottom, show])

  const release = useCallback(() => {
    pinned.current = false
    show()
  }, [show])

  return { scroller, content, ...view, jump, release }
}

const INTENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointerup'] as const
