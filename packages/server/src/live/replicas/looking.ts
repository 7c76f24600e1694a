/** Looks one after the other: what is asked for during a look is looked for after it. */
export interface Looking {
  start(): void
  isUnderWay(): boolean
  /** Whether the last look failed. */
  isFailing(): boolean
}

/** What a look is. */
export interface LookingDeps {
  readonly look: () => Promise<void>
  /** Lets only so many look at a time. */
  readonly inLine: (work: () => Promise<void>) => Promise<void>
  /** Called when a look fails, once until one does not. */
  readonly onError: (error: unknown) => void
  /** Called when no more is asked for. */
  readonly onDone: () => void
}

/** Makes what looks when it is asked to. */
export function createLooking({ look, inLine, onError, onDone }: LookingDeps): Looking {
  let isUnderWay = false
  let isAgain = false
  let isFailing = false

  async function lookUntilDone(): Promise<void> {
    isUnderWay = true
    try {
      do {
        isAgain = false
        await inLine(look)
      } while (isAgain)
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    } finally {
      isUnderWay = false
    }
    onDone()
  }

  return {
    start() {
      if (isUnderWay) isAgain = true
      else void lookUntilDone()
    },
    isUnderWay: () => isUnderWay,
    isFailing: () => isFailing,
  }
}
