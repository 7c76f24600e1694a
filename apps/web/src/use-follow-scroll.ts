import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Within this of the bottom the view follows new text, in pixels. */
const PIN_PX = 60

/** Further up than this the way back down is offered, in pixels. */
const OFFER_PX = 200

/** Upward movement by the person after which the view stays where it is, in pixels. */
const UNPIN_PX = 3

/** Following new text at the bottom of a scroller. */
export interface FollowScroll {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly isPinned: boolean
  readonly offersJump: boolean
  jump(): void
}

/**
 * Keeps the newest text in view for as long as the person has not moved up. What moves the view is told apart
 * by position: a place that we wrote ourselves is ours. Another `key` opens at the bottom.
 */
export function useFollowScroll(key: string): FollowScroll {
  const scroller = useRef<HTMLDivElement | null>(null)
  const content = useRef<HTMLDivElement | null>(null)
  const pinned = useRef(true)
  const lastTop = useRef(0)
  const [view, setView] = useState({ isPinned: true, offersJump: false })

  const toBottom = useCallback(() => {
    const element = scroller.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    lastTop.current = element.scrollTop
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
      if (element.scrollTop < lastTop.current - UNPIN_PX) pinned.current = below < 1
      else if (below <= PIN_PX) pinned.current = true
      lastTop.current = element.scrollTop
      show()
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [toBottom, show])

  const jump = useCallback(() => {
    pinned.current = true
    toBottom()
    show()
  }, [toBottom, show])

  return { scroller, content, ...view, jump }
}
