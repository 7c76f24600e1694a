import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in pixels, as it changes; `usual` until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>, usual: number): number {
  const [width, setWidth] = useState(usual)
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown) return
    setWidth(shown.clientWidth || usual)
    const observer = new ResizeObserver(() => setWidth(shown.clientWidth || usual))
    observer.observe(shown)
    return () => observer.disconnect()
  }, [element, usual])
  return width
}
