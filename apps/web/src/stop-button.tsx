import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Glyph } from './icons.tsx'
import { say } from './language/say.ts'

/** A pointer that was already coming down on this place meant something else, for this long. In milliseconds. */
const GUARD_MS = 400

/** A stop that takes longer than this can be forced, in milliseconds. [STOP10] */
const FORCE_MS = 1_500

interface StopButtonProps {
  readonly phase: 'busy' | 'stopping'
  readonly onStop: (how: 'stop' | 'force') => void
}

/** Stops what runs. A double click on Send does not stop; the keyboard stops at once. */
export function StopButton({ phase, onStop }: StopButtonProps) {
  const shownAt = useRef(Number.POSITIVE_INFINITY)
  const [takesLong, setTakesLong] = useState(false)
  useEffect(() => {
    shownAt.current = performance.now()
  }, [])
  useEffect(() => {
    if (phase === 'busy') return
    const timer = setTimeout(() => setTakesLong(true), FORCE_MS)
    return () => {
      clearTimeout(timer)
      setTakesLong(false)
    }
  }, [phase])

  function onClick(event: MouseEvent): void {
    const byPointer = event.detail > 0
    if (byPointer && performance.now() - shownAt.current < GUARD_MS) return
    if (phase === 'busy') onStop('stop')
    else if (takesLong) onStop('force')
  }

  return (
    <button
      type="button"
      className="button stop"
      data-testid="stop"
      aria-disabled={phase === 'stopping' && !takesLong}
      onClick={onClick}
    >
      <Glyph name="stopped" lively={false} />
      {label(phase, takesLong)}
    </button>
  )
}

function label(phase: 'busy' | 'stopping', takesLong: boolean): string {
  if (phase === 'busy') return say('common.stop')
  return takesLong ? say('page.force-stop') : say('page.stopping-now')
}
