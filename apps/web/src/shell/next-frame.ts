/** A hidden tab draws no frames; it is told after this long, in milliseconds. */
const HIDDEN_MS = 100

/** What streams is drawn at most this often, in milliseconds: the frames between are for whoever types. */
const APART_MS = 30

const waiting = new Set<() => void>()
let ranAt = 0

/** Runs once, before one of the next frames is drawn, so that many changes are drawn as one. */
export function onNextFrame(run: () => void): void {
  waiting.add(run)
  if (waiting.size === 1) plan()
}

function plan(): void {
  function runAll(): void {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    ranAt = performance.now()
    const runs = [...waiting]
    waiting.clear()
    for (const each of runs) each()
  }
  function onFrame(): void {
    if (performance.now() - ranAt >= APART_MS) runAll()
    else frame = requestAnimationFrame(onFrame)
  }
  let frame = requestAnimationFrame(onFrame)
  const timer = setTimeout(runAll, HIDDEN_MS)
}
