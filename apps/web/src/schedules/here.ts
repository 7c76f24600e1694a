/** When somebody was at this browser last, in milliseconds since the Unix epoch. */
const KEY = 'holdfast.here-at'
/** Who was away for less is not told what ended, in milliseconds. */
const AWAY_MS = 120_000
const MARK_MS = 30_000

/** Somebody is here now. */
export function markHere(): void {
  localStorage.setItem(KEY, String(Date.now()))
}

/** Calls when somebody comes back who was away for some time: with when they were here last. @returns what ends it. */
export function watchAway(onBack: (since: number) => void): () => void {
  function look(): void {
    if (document.hidden) return
    const since = Number(localStorage.getItem(KEY) ?? Number.NaN)
    if (Date.now() - since > AWAY_MS) onBack(since)
    markHere()
  }
  function follow(): void {
    if (document.hidden) markHere()
    else look()
  }
  look()
  const timer = setInterval(() => {
    if (!document.hidden) markHere()
  }, MARK_MS)
  document.addEventListener('visibilitychange', follow)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', follow)
  }
}
