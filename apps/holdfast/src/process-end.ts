/** The code of a program whose reader went away: that of SIGPIPE in a shell. */
const READER_GONE = 141
/** The code of a program whose output cannot be written, such as to a full disk: EX_IOERR of sysexits.h. */
const NOT_WRITTEN = 74
/** The code of a program whose terminal was closed: that of SIGHUP in a shell. */
const TERMINAL_GONE = 129
/** The longest that closing takes, in milliseconds. What is not written by then is recovered at the next start. */
const CLOSING_MS = 9_000

/** What a pipe says whose reader went away, and a terminal that was closed. */
const GONE: ReadonlySet<unknown> = new Set(['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])

const closers = new Set<() => Promise<void>>()
const forReader = new Set<() => Promise<void>>()
let ending = false

/** Has this closed where the process ends before its work is done. */
export function closeAtEnd(close: () => Promise<void>): void {
  closers.add(close)
}

/** Has this ended where nobody reads any more what comes of it, before anything is closed. @returns what takes it back. */
export function endWhenUnread(end: () => Promise<void>): () => void {
  forReader.add(end)
  return () => forReader.delete(end)
}

/**
 * Ends the process in order and without a word when nobody reads what it prints, with 141, or its terminal is closed, with
 * 129, and with a word and 74 when what it prints cannot be written: what is open is closed first, as after the work. [LOG8]
 *
 * Node.js ignores SIGPIPE, and has an error of the stream end the process at once, with the store open.
 */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (ending) return
      if ('code' in error && GONE.has(error.code)) return endInOrder(READER_GONE, [...forReader])
      if (!('code' in error) || stream === process.stderr) throw error
      process.stderr.write(`What is printed cannot be written: ${error.message} (E_OUTPUT)\n`)
      endInOrder(NOT_WRITTEN, [...forReader])
    })
  }
  process.on('SIGHUP', () => endInOrder(TERMINAL_GONE, []))
}

function endInOrder(exitCode: number, ends: readonly (() => Promise<void>)[]): void {
  if (ending) return
  ending = true
  process.exitCode = exitCode
  // What the work says of being closed is for nobody.
  process.stderr.write = () => true
  setTimeout(() => process.exit(exitCode), CLOSING_MS)
  void Promise.allSettled(ends.map((end) => end()))
    .then(() => Promise.allSettled([...closers].map((close) => close())))
    .then(() => process.exit(exitCode))
}
