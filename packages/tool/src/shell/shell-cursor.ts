import { type ShellCommand, ShellRefusal } from './shell-command.ts'

/** How much of a line is read; a line beyond it is refused, and a refused line asks. [PERM2] */
export interface ShellLimits {
  readonly maxLength: number
  readonly maxCommands: number
  readonly maxDepth: number
}

/** Limits of the permission rules. */
export const SHELL_LIMITS: ShellLimits = { maxLength: 65_536, maxCommands: 10_000, maxDepth: 50 }

/** A here-document whose body begins after the next end of line. */
export interface PendingHereDocument {
  readonly delimiter: string
  readonly stripTabs: boolean
  readonly expands: boolean
}

/** What all parts of one reading share: the commands found, and the depth. */
export interface Reading {
  readonly commands: ShellCommand[]
  readonly limits: ShellLimits
  readonly functions: string[]
  depth: number
}

/** A place in a text. Words call back into the list reader for what stands in substitutions. */
export interface ShellCursor {
  readonly text: string
  at: number
  readonly pending: PendingHereDocument[]
  readonly reading: Reading
  /** Reads commands from `at` to the closing parenthesis and past it. */
  readonly readSubstitution: (cursor: ShellCursor) => void
  /** Reads a text of its own: what stands between backticks. */
  readonly readCommandText: (text: string, reading: Reading) => void
}

/** @throws {ShellRefusal} always, naming the place. */
export function refuse(cursor: ShellCursor, reason: string): never {
  throw new ShellRefusal(`${reason} at character ${cursor.at + 1}`)
}

/** Runs one level deeper. */
export function deeper(cursor: ShellCursor, run: () => void): void {
  const { reading } = cursor
  if (++reading.depth > reading.limits.maxDepth) refuse(cursor, `more than ${reading.limits.maxDepth} levels`)
  run()
  reading.depth--
}

/** Whether the text goes on with `part`. */
export function sees(cursor: ShellCursor, part: string): boolean {
  return cursor.text.startsWith(part, cursor.at)
}

/** Takes `part` if it is next. */
export function take(cursor: ShellCursor, part: string): boolean {
  if (!sees(cursor, part)) return false
  cursor.at += part.length
  return true
}

/** What a sticky pattern finds at the cursor, which stays. */
export function peek(cursor: ShellCursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at
  return pattern.exec(cursor.text)?.[0] ?? null
}

/** Skips blanks, joined lines and comments between words; an end of line stays. */
export function skipBlanks(cursor: ShellCursor): void {
  for (;;) {
    if (sees(cursor, ' ') || sees(cursor, '\t')) cursor.at++
    else if (sees(cursor, '\\\n')) cursor.at += 2
    else break
  }
  if (!sees(cursor, '#')) return
  const end = cursor.text.indexOf('\n', cursor.at)
  cursor.at = end === -1 ? cursor.text.length : end
}
