import { useEffect, useState } from 'react'

/** Whether something has been so for a while. Once it has, that stays. */
export function useRested(isSo: boolean, restMs: number): boolean {
  const [hasRested, setRested] = useState(false)
  useEffect(() => {
    if (!isSo || hasRested) return
    const timer = setTimeout(() => setRested(true), restMs)
    return () => clearTimeout(timer)
  }, [isSo, hasRested, restMs])
  return hasRested
}
