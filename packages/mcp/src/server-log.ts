import type { Clock } from '@holdfast/conversation'
import { SERVER_LIMITS } from './server-settings.ts'

/** One line of what a server printed, sent to its log, or did. */
export interface ServerLogLine {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  /** `stderr`: printed; `server`: sent as a log message; `connection`: said by us. */
  readonly from: 'stderr' | 'server' | 'connection'
  readonly text: string
}

/** The newest lines of a server. */
export interface ServerLog {
  add(from: ServerLogLine['from'], text: string): void
  /** Text that comes in pieces: each whole line of it is one line here. */
  addBytes(bytes: Uint8Array): void
  lines(): readonly ServerLogLine[]
}

/** Keeps the newest lines and forgets the others; what `hide` gives is kept. [SEC4] */
export function createServerLog({
  clock,
  hide,
}: {
  readonly clock: Clock
  readonly hide: (text: string) => string
}): ServerLog {
  const { logLines, logLineChars } = SERVER_LIMITS
  let kept: ServerLogLine[] = []
  let rest = ''

  function add(from: ServerLogLine['from'], text: string): void {
    const readable = hide(text.slice(0, logLineChars)).replaceAll(UNREADABLE, '')
    if (readable.trim() === '') return
    kept.push({ at: clock.now(), from, text: readable })
    // In halves, so that a flood is not copied line by line.
    if (kept.length >= logLines * 2) kept = kept.slice(-logLines)
  }

  return {
    add,
    addBytes(bytes) {
      const lines = (rest + Buffer.from(bytes).toString('utf8')).split('\n')
      rest = (lines.pop() ?? '').slice(0, logLineChars)
      for (const line of lines.slice(-logLines)) add('stderr', line)
    },
    lines: () => kept.slice(-logLines),
  }
}

/** Colours of terminals, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const UNREADABLE = /\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
