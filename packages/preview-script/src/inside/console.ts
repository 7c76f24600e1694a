import type { ConsoleLine } from '@holdfast/protocol'
import type { Tell } from './channel.ts'
import { type Errors, plain, TOLD_EVERY_MS, thrown } from './errors.ts'
import { later } from './natives.ts'

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const
/** Of one time between two tellings, so many lines are read; the others are counted. */
const MOST_LINES = 100
const LINE_CHARS = 4_000

/** Tells what the console of the page says. It says it as before. */
export function watchConsole({ tell }: Tell, errors: Errors): void {
  let lines: { level: ConsoleLine['level']; text: string; count: number }[] = []
  let droppedCount = 0
  let isDue = false
  const { apply } = Reflect

  function tellAll(): void {
    isDue = false
    tell({ type: 'console', lines, droppedCount })
    lines = []
    droppedCount = 0
  }

  function said(level: ConsoleLine['level'], given: readonly unknown[]): void {
    if (!isDue) later(tellAll, TOLD_EVERY_MS)
    isDue = true
    if (lines.length >= MOST_LINES) {
      droppedCount += 1
      return
    }
    const text = given.map(plain).join(' ').slice(0, LINE_CHARS)
    const last = lines.at(-1)
    if (last?.level === level && last.text === text) last.count += 1
    else lines.push({ level, text, count: 1 })
    if (level !== 'error') return
    const error = given.find((one) => one instanceof Error)
    // A build that failed is told by its overlay, with its place; what a module threw when it was changed, by this alone.
    if (error === undefined && text.startsWith('[vite]')) return
    errors.add({
      kind: 'console',
      key: `console ${text.slice(0, 500)}`,
      read: () => (error ? thrown(error, text, undefined) : { name: 'ConsoleError', message: text, stack: undefined }),
    })
  }

  for (const level of LEVELS) {
    const native: (...given: unknown[]) => void = console[level]
    const told = (...given: unknown[]) => {
      try {
        said(level, given)
      } catch {
        // What the page logs may throw when it is read; the page logs on.
      }
      return apply(native, console, given)
    }
    Object.defineProperty(told, 'name', { value: level })
    console[level] = told
  }
}
