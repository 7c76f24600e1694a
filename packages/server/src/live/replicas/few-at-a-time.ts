/** Does at most so many pieces of work at a time, in the order of their coming. */
export function createFewAtATime(most: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = []
  let atWork = 0
  return async (work) => {
    if (atWork >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else atWork += 1
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else atWork -= 1
    }
  }
}
