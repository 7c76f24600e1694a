import { type IPty, spawn } from '@lydell/node-pty'
import serializing from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { TERMINAL_LIMITS } from '../limits.ts'
import type { KeeperOrder, KeeperReport } from './messages.ts'
import { createViewing, type Viewing } from './viewing.ts'

/** One terminal with its screen. */
export interface KeptTerminal {
  readonly pid: number
  attach(viewerId: string): void
  detach(viewerId: string): void
  read(viewerId: string, through: number): void
  input(text: string): void
  resize(size: { readonly columns: number; readonly rows: number }): void
  hangUp(): void
}

type Opening = Extract<KeeperOrder, { type: 'open' }>

/** What the screen may have before it before the program waits, in bytes, and from where on it goes on. */
const UNDRAWN = { most: 131_072, few: 32_768 } as const
/** A viewer that draws nothing for so long is not waited for, such as a tab that sleeps. In milliseconds. */
const PATIENCE_MS = 2_000
/** A screen is written out for a viewer that was left behind no oftener, in milliseconds. */
const RESCREEN_MS = 1_000

/** Opens a pseudo-terminal with a program in it. @throws {Error} when the system has none, or no such program. */
export function openKeptTerminal(opening: Opening, report: (said: KeeperReport) => void): KeptTerminal {
  const { terminalId, program, args, folder, environment, columns, rows } = opening
  const screen = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: TERMINAL_LIMITS.scrollbackLines,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const serializer = new serializing.SerializeAddon()
  screen.loadAddon(serializer)
  const pty: IPty = spawn(program, [...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: folder,
    env: { ...environment },
    encoding: null,
  })
  const decoder = new TextDecoder()
  const viewers = new Map<string, { readonly viewing: Viewing; movedAt: number; screenedAt: number }>()
  let undrawnBytes = 0
  let isPaused = false
  let gathered: string[] = []
  let isGone = false
  /** The screen is drawn to its end and given back. */
  let isDisposed = false

  // Programs ask the terminal what it is; it is answered here, once, however many pages look on.
  screen.onData((answer) => pty.write(answer))

  function take(bytes: Uint8Array | string): void {
    const text = typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true })
    undrawnBytes += bytes.length
    screen.write(text, () => {
      undrawnBytes -= bytes.length
      if (text !== '') gather(text)
      pace()
    })
    pace()
  }

  /** What the screen draws in one go is told in one go. */
  function gather(text: string): void {
    if (viewers.size === 0) return
    if (gathered.length === 0) setImmediate(tell)
    gathered.push(text)
  }

  function tell(): void {
    const text = gathered.join('')
    gathered = []
    if (text === '') return
    for (const { viewing } of viewers.values()) viewing.add(text)
    pace()
  }

  /** The program waits for the screen, and for the fastest of those who look on and still draw. */
  function pace(): void {
    const now = performance.now()
    const awaited = [...viewers.values()].filter(
      ({ viewing, movedAt }) => !viewing.isLost() && now - movedAt < PATIENCE_MS,
    )
    const isHeld = awaited.length > 0 && awaited.every(({ viewing }) => viewing.isBehind())
    const isFull = undrawnBytes > (isPaused ? UNDRAWN.few : UNDRAWN.most)
    if (isGone || (isHeld || isFull) === isPaused) return
    isPaused = !isPaused
    if (isPaused) pty.pause()
    else pty.resume()
    // Nobody may draw anything any more: then somebody has to look at the clock.
    if (isPaused) setTimeout(pace, PATIENCE_MS + 10).unref()
  }

  /** The screen as it is when all before it is drawn, and nothing behind it. */
  function show(viewerId: string): void {
    screen.write('', () => {
      const viewer = viewers.get(viewerId)
      if (!viewer || isDisposed) return
      tell()
      viewer.screenedAt = performance.now()
      report({ type: 'screen', terminalId, viewerId, columns: screen.cols, rows: screen.rows })
      viewer.viewing.begin(serializer.serialize())
    })
  }

  function showSoon(viewerId: string): void {
    const { screenedAt } = viewers.get(viewerId) ?? { screenedAt: 0 }
    const wait = Math.max(0, screenedAt + RESCREEN_MS - performance.now())
    setTimeout(() => show(viewerId), wait).unref()
  }

  pty.onData((bytes: Uint8Array | string) => take(bytes))
  pty.onExit(({ exitCode, signal }) => {
    isGone = true
    const rest = decoder.decode()
    screen.write(rest, () => {
      if (rest !== '') gather(rest)
      tell()
      report({ type: 'exited', terminalId, exitCode, signal: signal ?? 0 })
      isDisposed = true
      screen.dispose()
    })
  })

  return {
    pid: pty.pid,
    attach(viewerId) {
      // Nothing is sent before the screen.
      const viewing = createViewing({
        send: (output) => report({ type: 'output', terminalId, viewerId, ...output }),
        onReady: () => showSoon(viewerId),
        onAhead: pace,
      })
      screen.write('', () => {
        // It ended before it was drawn for this viewer: that has been told.
        if (isDisposed) return
        tell()
        viewers.set(viewerId, { viewing, movedAt: performance.now(), screenedAt: performance.now() })
        report({ type: 'screen', terminalId, viewerId, columns: screen.cols, rows: screen.rows })
        viewing.begin(serializer.serialize())
      })
    },
    detach(viewerId) {
      screen.write('', () => {
        viewers.delete(viewerId)
        pace()
      })
    },
    read(viewerId, through) {
      const viewer = viewers.get(viewerId)
      if (!viewer) return
      viewer.movedAt = performance.now()
      viewer.viewing.read(through)
      pace()
    },
    input(text) {
      if (!isGone) pty.write(text)
    },
    resize({ columns: wide, rows: high }) {
      if (isGone || (screen.cols === wide && screen.rows === high)) return
      screen.resize(wide, high)
      pty.resize(wide, high)
      report({ type: 'resized', terminalId, columns: wide, rows: high })
    },
    hangUp() {
      if (isGone) return
      pty.resume()
      pty.kill('SIGHUP')
    },
  }
}
