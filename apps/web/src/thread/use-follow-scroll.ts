import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReadingPlace } from './reading-place.ts'

/** Within this of the bottom the view follows new text, in pixels. */
const PIN_PX = 60

/** Further up than this the way back down is offered, in pixels. */
const OFFER_PX = 200

/** Upward movement by the person after which the view stays where it is, in pixels. */
const UNPIN_PX = 3

/** What a person does with wheel, finger or keys moves the view within so long, in milliseconds. */
const INTENT_MS = 500

/** What was sent stands so far under the upper edge, in pixels. */
const SENT_TOP_PX = 50

/** From further away than this one is taken near the end at once, and glides the rest, in pixels. */
const GLIDE_PX = { most: 2_500, rest: 1_200 } as const

/** What is held stays so long after the last change around it, in milliseconds. */
const HOLD_MS = 1_500

/** A place to open at has been found when it has stood still for so many frames; nothing is shown before. */
const STILL_FRAMES = 2

/** The place is kept when the view has rested for so long, in milliseconds. */
const KEEP_MS = 150

const SENT = '[data-testid=msg-user]'

/** Following new text at the bottom of a scroller. */
export interface FollowScroll {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  /** Holds the rows, which write their common height themselves. */
  readonly rows: RefObject<HTMLDivElement | null>
  /** Stands under the content: the room in which a reply grows. */
  readonly room: RefObject<HTMLDivElement | null>
  readonly isPinned: boolean
  readonly offersJump: boolean
  /** Goes to the end and follows it. */
  jump(): void
  /** Goes to the end at once: what was sent waits there. */
  toEnd(): void
  /** Brings what was sent near the upper edge. It stays there while the reply grows under it, as long as that fits. */
  showSent(): void
  /** Stays where it is from now on. */
  release(): void
  /** Keeps an element where it is, or brings it there, until what is around it rests or the person moves the view. */
  hold(find: () => Element | null, topPx: number): void
  /** Opens at a place: what is shown is shown there, and nowhere else before. */
  openAt(find: () => Element | null, topPx: number): void
  /** Other parts are shown: the view goes on following, or holding. */
  changed(): void
}

interface Opening {
  /** Another conversation opens anew. */
  readonly key: string
  /** Where it opens; null for its end. */
  readonly place: ReadingPlace | null
  /** Told where the reader stands, when the view rests and when it goes. */
  readonly onPlace: (place: ReadingPlace | null) => void
}

interface Held {
  readonly find: () => Element | null
  readonly topPx: number
  readonly untilMs: number
}

/**
 * Keeps the newest text in view for as long as the person has not moved up. What moves the view is told apart
 * by position: a place that we wrote ourselves is ours, and a row above that changes its height moves the top
 * without taking the view further from the bottom. Where the content changes its height in the same moment, what
 * the rows' measuring moves is told from the person by what wheel, finger and keys did just before. [UI12]
 */
export function useFollowScroll({ key, place, onPlace }: Opening): FollowScroll {
  const scroller = useRef<HTMLDivElement | null>(null)
  const content = useRef<HTMLDivElement | null>(null)
  const rows = useRef<HTMLDivElement | null>(null)
  const room = useRef<HTMLDivElement | null>(null)
  const pinned = useRef(place?.type !== 'at')
  /** Whether what was sent last has its place near the upper edge, with room under it. */
  const hasRoom = useRef(place?.type === 'under-what-was-sent')
  const held = useRef<Held | null>(null)
  const last = useRef({ top: 0, below: 0, height: 0 })
  const intendsUntil = useRef(0)
  const [view, setView] = useState({ isPinned: pinned.current, offersJump: false })

  /** Makes the room under the content so high that the view can stand at this place, and not higher. */
  const makeRoom = useCallback((wantedTop: number) => {
    const element = scroller.current
    const under = room.current
    if (!element || !under) return
    // A short thread fills the view anyhow: what it takes up first makes nothing higher.
    for (let round = 0; round < 2; round += 1) {
      const missing = Math.max(0, wantedTop) - (element.scrollHeight - element.clientHeight)
      const height = Math.max(0, under.offsetHeight + Math.ceil(missing))
      if (height === under.offsetHeight) return
      under.style.blockSize = [height, 'px'].join('')
    }
  }, [])

  const note = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const below = element.scrollHeight - element.clientHeight - element.scrollTop
    last.current = { top: element.scrollTop, below, height: element.scrollHeight }
  }, [])

  const toBottom = useCallback(() => {
    const element = scroller.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    note()
  }, [note])

  const show = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const isHeld = held.current !== null
    const below = element.scrollHeight - element.clientHeight - element.scrollTop - (room.current?.offsetHeight ?? 0)
    setView((known) => {
      const isFar = known.offersJump ? below >= PIN_PX : below > OFFER_PX
      const offersJump = !pinned.current && !isHeld && isFar
      if (known.isPinned === pinned.current && known.offersJump === offersJump) return known
      return { isPinned: pinned.current, offersJump }
    })
  }, [])

  const keepHeld = useCallback(
    ({ find, topPx }: Held) => {
      const element = scroller.current
      const target = find()
      if (!element || !target) return
      const wanted = element.scrollTop + offsetOf(target, element) - topPx
      makeRoom(wanted)
      if (Math.abs(wanted - element.scrollTop) >= 1) element.scrollTop = wanted
      note()
    },
    [makeRoom, note],
  )

  const settle = useCallback(() => {
    const element = scroller.current
    if (!element) return
    if (held.current) {
      keepHeld(held.current)
      return
    }
    if (hasRoom.current) {
      const sent = [...element.querySelectorAll(SENT)].at(-1)
      if (sent) makeRoom(element.scrollTop + offsetOf(sent, element) - SENT_TOP_PX)
    }
    if (pinned.current) toBottom()
    show()
  }, [keepHeld, makeRoom, show, toBottom])

  const changed = useCallback(() => {
    if (held.current) {
      const { find, topPx } = held.current
      held.current = { find, topPx, untilMs: performance.now() + HOLD_MS }
    }
    settle()
  }, [settle])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation opens at its place
  useLayoutEffect(settle, [key, settle])

  useEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (!element || !inner) return
    const observer = new ResizeObserver(settle)
    observer.observe(inner)
    observer.observe(element)
    // The rows are measured deeper down: what they grow by is written later in the same frame, and not told of in it.
    const written = new MutationObserver(settle)
    const list = rows.current?.firstElementChild
    if (list) written.observe(list, { attributeFilter: ['style'] })
    let resting: ReturnType<typeof setTimeout>
    function keep(): void {
      clearTimeout(resting)
      if (element && !held.current) onPlace(placeIn(element))
    }
    function placeIn(view: HTMLElement): ReadingPlace | null {
      if (pinned.current) {
        const isRoomy = hasRoom.current && (room.current?.offsetHeight ?? 0) > 0
        return isRoomy ? { type: 'under-what-was-sent' } : null
      }
      const first = [...view.querySelectorAll<HTMLElement>('[data-seq]')].find(
        (one) => offsetOf(one, view) + one.offsetHeight > 0,
      )
      return first ? { type: 'at', seq: Number(first.dataset['seq']), topPx: offsetOf(first, view) } : null
    }
    function onScroll(): void {
      if (!element) return
      clearTimeout(resting)
      resting = setTimeout(keep, KEEP_MS)
      if (held.current) {
        note()
        return
      }
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
      note()
      show()
    }
    function onIntent(event: Event): void {
      const isScrollbar = event.type === 'pointerdown' && event.target === element
      if (event.type === 'pointerdown' && !isScrollbar) return
      held.current = null
      // A scrollbar may be held for as long as one likes.
      intendsUntil.current = isScrollbar ? Number.POSITIVE_INFINITY : performance.now() + INTENT_MS
    }
    for (const name of INTENTS) element.addEventListener(name, onIntent, { passive: true })
    element.addEventListener('scroll', onScroll, { passive: true })
    addEventListener('pagehide', keep)
    return () => {
      clearTimeout(resting)
      observer.disconnect()
      written.disconnect()
      for (const name of INTENTS) element.removeEventListener(name, onIntent)
      element.removeEventListener('scroll', onScroll)
      removeEventListener('pagehide', keep)
    }
  }, [settle, toBottom, show, note, onPlace])

  const follow = useCallback((isRoomy: boolean) => {
    held.current = null
    pinned.current = true
    hasRoom.current = isRoomy
    if (!isRoomy && room.current) room.current.style.blockSize = '0'
  }, [])

  const toEnd = useCallback(() => {
    follow(hasRoom.current)
    settle()
  }, [follow, settle])

  const showSent = useCallback(() => {
    follow(true)
    settle()
  }, [follow, settle])

  const jump = useCallback(() => {
    const element = scroller.current
    if (!element) return
    follow(false)
    const end = element.scrollHeight - element.clientHeight
    const isStill = document.visibilityState === 'hidden' || isMotionReduced()
    if (!isStill) {
      if (end - element.scrollTop > GLIDE_PX.most) element.scrollTop = end - GLIDE_PX.rest
      note()
      element.scrollTo({ top: end, behavior: 'smooth' })
    } else toBottom()
    show()
  }, [follow, note, show, toBottom])

  const release = useCallback(() => {
    held.current = null
    pinned.current = false
    show()
  }, [show])

  const hold = useCallback(
    (find: Held['find'], topPx: number) => {
      pinned.current = false
      hasRoom.current = false
      held.current = { find, topPx, untilMs: performance.now() + HOLD_MS }
      keepHeld(held.current)
      function keep(): void {
        if (!held.current || held.current.find !== find) return
        keepHeld(held.current)
        if (performance.now() < held.current.untilMs) requestAnimationFrame(keep)
        else {
          held.current = null
          show()
        }
      }
      requestAnimationFrame(keep)
    },
    [keepHeld, show],
  )

  const openAt = useCallback(
    (find: Held['find'], topPx: number) => {
      const element = scroller.current
      if (!element) return
      let stillFrames = 0
      element.dataset['placing'] = 'true'
      hold(find, topPx)
      function look(): void {
        if (!element) return
        const target = find()
        const isThere = target !== null && Math.abs(offsetOf(target, element) - topPx) < 1 && hasAllRows(element)
        stillFrames = isThere ? stillFrames + 1 : 0
        if (stillFrames < STILL_FRAMES && held.current?.find === find) requestAnimationFrame(look)
        else delete element.dataset['placing']
      }
      requestAnimationFrame(look)
    },
    [hold],
  )

  return { scroller, content, rows, room, ...view, jump, toEnd, showSent, release, hold, openAt, changed }
}

/** How far it stands under the upper edge of the view, in pixels. */
function offsetOf(element: Element, view: Element): number {
  return element.getBoundingClientRect().top - view.getBoundingClientRect().top
}

/** Whether no row is missing between those in view: a busy browser draws them some frames after the place was reached. */
function hasAllRows(view: Element): boolean {
  const bottomPx = view.clientHeight
  const drawn = [...view.querySelectorAll<HTMLElement>('[data-row]')]
    .filter((row) => offsetOf(row, view) < bottomPx && offsetOf(row, view) + row.offsetHeight > 0)
    .map((row) => Number(row.dataset['row']))
  return drawn.every((row, index) => index === 0 || row === (drawn[index - 1] ?? 0) + 1)
}

function isMotionReduced(): boolean {
  const chosen = document.documentElement.dataset['motion']
  if (chosen === 'reduced') return true
  return chosen !== 'full' && matchMedia('(prefers-reduced-motion: reduce)').matches
}

const INTENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointerup'] as const
