import { useEffect, useState } from 'react'
import { type Asked, useAsked } from '../shared/ask-server.ts'

/** What is known of something, and since when. */
export interface Kept<Value> {
  readonly asked: Asked<Value>
  /** When the last answer came, in milliseconds since the Unix epoch; null before the first. */
  readonly heldAt: number | null
  readonly askAgain: () => void
}

/** Asks when the component is shown, on wish, and every so many milliseconds; `null` for not by itself. */
export function useKept<Value>(ask: () => Promise<Value>, everyMs: number | null): Kept<Value> {
  const [asked, askAgain] = useAsked(ask)
  const [heldAt, setHeldAt] = useState<number | null>(null)
  useEffect(() => {
    if (asked.type === 'here') setHeldAt(Date.now())
  }, [asked])
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(askAgain, everyMs)
    return () => clearInterval(timer)
  }, [askAgain, everyMs])
  return { asked, heldAt, askAgain }
}
