import { useEffect, useState } from 'react'

/** Whole seconds since `since` (milliseconds since the Unix epoch), counted while the component is shown. */
export function useSecondsSince(since: number): number {
  return Math.max(0, Math.floor((useTick(true) - since) / 1_000))
}

/** The time, in milliseconds since the Unix epoch, anew every second while `isCounting`. */
export function useTick(isCounting: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isCounting) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isCounting])
  return now
}
