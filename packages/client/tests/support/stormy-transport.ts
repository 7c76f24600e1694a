import type { Line, LineEvents, Transport } from '../../src/link/transport.ts'

/** What a storm does to a line. */
export interface Storm {
  readonly transport: Transport
  /** Breaks the open line in one of three ways: a clean close, a reset, or a silence that nobody is told of. */
  breakLine(): void
  /** From now on the line is a good one. */
  calm(): void
}

/** How often a frame meets a fate while the storm lasts. */
const LOST = 0.004
const TWICE = 0.02
const LATE = 0.02

/** Puts a storm over a real transport: lines break, and frames are lost, repeated and overtaken, in both directions. */
export function createStorm(inner: Transport, random: () => number): Storm {
  let isCalm = false
  let cut = (): void => {}

  function passing(deliver: (text: string) => void): (text: string) => void {
    let held: string | null = null
    let isGreeting = true
    return (text) => {
      // Without its greeting a line is none: that comes as it is.
      if (isGreeting) {
        isGreeting = false
        deliver(text)
        return
      }
      if (isCalm) {
        const before = held
        held = null
        deliver(text)
        if (before !== null) deliver(before)
        return
      }
      const drawn = random()
      if (drawn < LOST) return
      if (drawn < LOST + LATE && held === null) {
        held = text
        return
      }
      deliver(text)
      if (drawn > 1 - TWICE) deliver(text)
      if (held === null) return
      const overtaken = held
      held = null
      deliver(overtaken)
    }
  }

  return {
    transport: {
      open(events: LineEvents): Line {
        let isDead = false
        const onText = passing(events.onText)
        const line = inner.open({
          onOpen: () => {
            if (!isDead) events.onOpen()
          },
          onText: (text) => {
            if (!isDead) onText(text)
          },
          onClose: (end) => {
            if (!isDead) events.onClose(end)
          },
        })
        const send = passing((text) => line.send(text))
        cut = () => {
          const drawn = random()
          if (isDead) return
          isDead = true
          line.close()
          // A silent end: the client finds out by its own heartbeat.
          if (drawn > 0.05) events.onClose({ code: drawn > 0.5 ? 1000 : null, unauthorized: false })
        }
        return {
          send: (text) => {
            if (!isDead) send(text)
          },
          close() {
            isDead = true
            line.close()
          },
        }
      },
    },
    breakLine: () => cut(),
    calm() {
      isCalm = true
    },
  }
}
