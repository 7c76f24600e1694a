/** A hidden tab draws no frames; it is told after this long, in milliseconds. */
const HIDDEN_MS = 100

/** Runs once, before the next frame is drawn, so that many changes are drawn as one. */
export function onNextFrame(run: () => void): void {
  let done = false
  function once(): void {
    if (done) return
    done = true
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    run()
  }
  const frame = requestAnimationFrame(once)
  const timer = setTimeout(once, HIDDEN_MS)
}
