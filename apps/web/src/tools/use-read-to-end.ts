import { type RefObject, useEffect, useRef, useState } from 'react'
import { noteRead, waitForReading, wasRead } from './use-armed.ts'

/** A box that scrolls where what is in it is long, and what is known of its reading. */
export interface ReadBox<Box extends HTMLElement> {
  readonly box: RefObject<Box | null>
  /** Whether not all of it is in sight at once. */
  readonly isLong: boolean
  /** Whether its end has been in sight. */
  readonly isRead: boolean
  showEnd(): void
}

interface ReadToEnd {
  readonly requestId: string
  /** Whether the end of the box is the end of all that is to be read. */
  readonly isLast: boolean
}

/** Has a request wait until the end of the box was in sight. [UI32] */
export function useReadToEnd<Box extends HTMLElement>({ requestId, isLast }: ReadToEnd): ReadBox<Box> {
  const box = useRef<Box>(null)
  const [isLong, setLong] = useState(false)
  const [isRead, setRead] = useState(() => wasRead(requestId))

  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const own = element
    function look(): void {
      setLong(own.scrollHeight > own.clientHeight + 1)
      if (!isLast || own.scrollTop + own.clientHeight < own.scrollHeight - END_PX) return
      setRead(true)
      noteRead(requestId)
    }
    waitForReading(requestId)
    // Its height is known when it is laid out, and changes with the window.
    const observer = new ResizeObserver(look)
    observer.observe(own)
    own.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      own.removeEventListener('scroll', look)
    }
  }, [requestId, isLast])

  function showEnd(): void {
    const element = box.current
    if (element === null) return
    element.scrollTop = element.scrollHeight
    element.focus({ preventScroll: true })
  }

  return { box, isLong, isRead, showEnd }
}

/** The last line counts as in sight when no more than this of it is cut, in CSS pixels. */
const END_PX = 12
