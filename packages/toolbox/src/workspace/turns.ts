/** A function that does one piece of work after another, whatever became of the one before. */
export function createTurns(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine.catch(() => {
      // Who asked for the work hears of it; the next one only waits for its end.
    })
    return mine
  }
}
