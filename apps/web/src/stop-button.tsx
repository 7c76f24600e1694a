import { type MouseEvent, useEffect, useRef } from 'react'
import { Glyph } from './icons.tsx'

/** A pointer that was already coming down on this place meant something else, for this long. In milliseconds. */
const GUARD_MS = 400

/** Stops what runs. A double click on Send does not stop; the keyboard stops at once. */
export function StopButton({ phase, onStop }: { readonly phase: 'busy' | 'stopping'; readonly onStop: () => void }) {
  const shownAt = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    shownAt.current = performance.now()
  }, [])

  function onClick(event: MouseEvent): void {
    const byPointer = event.detail > 0
    if (byPointer && performance.now() - shownAt.current < GUARD_MS) return
    if (phase === 'busy') onStop()
  }

  return (
    <button
      type="button"
      className="button stop"
      data-testid="stop"
      aria-disabled={phase === 'stopping'}
      onClick={onClick}
    >
      <Glyph name="stopped" lively={false} />
      {phase === 'stopping' ? 'Stopping…' : 'Stop'}
    </button>
  )
}
