import type { ReactNode } from 'react'

/**
 * A part of a block that may be long. Once it was laid out it knows its height: while the block grows, what is out of
 * view is neither laid out nor painted again, and takes the place that it has. [UI12]
 */
export function KeptHeight({ children }: { readonly children: ReactNode }) {
  return (
    <div className="kept-height" ref={keepHeight}>
      {children}
    </div>
  )
}

function keepHeight(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return
  laidOut.observe(element)
  return () => laidOut.unobserve(element)
}

/** Hears of the heights of all that came in one frame, when they are known and before they are painted. */
const laidOut = new ResizeObserver((parts) => {
  for (const { target, borderBoxSize } of parts) {
    if (!(target instanceof HTMLElement)) continue
    laidOut.unobserve(target)
    target.style.setProperty('--kept-height', [borderBoxSize[0]?.blockSize ?? 0, 'px'].join(''))
    target.dataset['laidOut'] = 'true'
  }
})
