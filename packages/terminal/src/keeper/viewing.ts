import type { KeeperReport } from './messages.ts'

/** One page that looks at a terminal. */
export interface Viewing {
  /** The screen as it is now, as text that draws it. */
  begin(screen: string): void
  /** What the program wrote. */
  add(text: string): void
  /** It has drawn all up to there. */
  read(through: number): void
  /** Whether so much waits for it that the program may wait, too. */
  isBehind(): boolean
  /** Whether it was left behind: it is told the whole screen when it has drawn what it was sent. */
  isLost(): boolean
}

/** How much may be on the way to a viewer, may wait for it before the program does, and may wait at all. In UTF-16 code units. */
export const VIEWING_LIMITS = { onTheWay: 262_144, piece: 32_768, behind: 131_072, lost: 1_048_576 } as const

/** What one needs. */
export interface ViewingDeps {
  readonly send: (output: Pick<Extract<KeeperReport, { type: 'output' }>, 'text' | 'end'>) => void
  /** Called when it was left behind and has drawn what it was sent. */
  readonly onReady: () => void
  /** Called when it is no longer behind. */
  readonly onAhead: () => void
}

/** Sends to a viewer as fast as it draws, and no faster. */
export function createViewing({ send, onReady, onAhead }: ViewingDeps): Viewing {
  let waiting: string[] = []
  let waitingLength = 0
  let sent = 0
  let drawn = 0
  let isLost = false

  function push(): void {
    while (waitingLength > 0 && sent - drawn < VIEWING_LIMITS.onTheWay) {
      const all = waiting.length === 1 ? (waiting[0] ?? '') : waiting.join('')
      const text = all.slice(0, endOfPiece(all))
      waiting = text.length === all.length ? [] : [all.slice(text.length)]
      waitingLength -= text.length
      sent += text.length
      send({ text, end: sent })
    }
  }

  return {
    begin(screen) {
      isLost = false
      waiting = screen === '' ? [] : [screen]
      waitingLength = screen.length
      push()
    },
    add(text) {
      if (isLost) return
      waiting.push(text)
      waitingLength += text.length
      push()
      if (waitingLength <= VIEWING_LIMITS.lost) return
      isLost = true
      waiting = []
      waitingLength = 0
    },
    read(through) {
      const wasBehind = waitingLength > VIEWING_LIMITS.behind
      drawn = Math.min(Math.max(drawn, through), sent)
      push()
      if (isLost && drawn === sent) onReady()
      else if (wasBehind && waitingLength <= VIEWING_LIMITS.behind) onAhead()
    },
    isBehind: () => waitingLength > VIEWING_LIMITS.behind,
    isLost: () => isLost,
  }
}

/** No character is torn in two: half of one is none in a message. */
function endOfPiece(text: string): number {
  const { piece } = VIEWING_LIMITS
  if (text.length <= piece) return text.length
  const last = text.charCodeAt(piece - 1)
  return last >= 0xd800 && last < 0xdc00 ? piece + 1 : piece
}
