import { useEffect, useState } from 'react'

/** What appears takes no answer for this long, in milliseconds. */
const ARM_MS = 600

const armedAt = new Map<string, number>()

/** Whether the request has been on the screen long enough to be answered; renders again when it has. */
export function useArmed(requestId: string): boolean {
  const [armedId, setArmedId] = useState(() => (isArmed(requestId) ? requestId : null))
  useEffect(() => {
    const due = armedAt.get(requestId) ?? performance.now() + ARM_MS
    armedAt.set(requestId, due)
    const timer = setTimeout(() => setArmedId(requestId), Math.max(0, due - performance.now()))
    return () => clearTimeout(timer)
  }, [requestId])
  return armedId === requestId
}

/** Whether the request can be answered at the moment of asking. */
export function isArmed(requestId: string): boolean {
  return (armedAt.get(requestId) ?? Number.POSITIVE_INFINITY) <= performance.now()
}
