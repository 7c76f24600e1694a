/** The code of a program whose reader went away: that of SIGPIPE in a shell. */
const READER_GONE = 141
/** The code of a program whose output cannot be written, such as to a full disk: EX_IOERR of sysexits.h. */
const NOT_WRITTEN = 74
/** The code of a program whose terminal was closed: that of SIGHUP in a shell. */
const TERMINAL_GONE = 129
/** The code of a program that was asked to end: that of SIGTERM in a shell. */
const TERMINATED = 143
/** A SIGTERM that comes sooner after the first is the same one: `timeout` sends it to the program, then to its group. In milliseconds. */
export const SAME_SIGNAL_MS = 500
/** The longest that closing takes, in milliseconds. What is not written by then is recovered at the next start. */
const CLOSING_MS = 9_000

/** What a pipe says whose reader went away, and a terminal that was closed. */
const GONE: ReadonlySet<unknown> = new Set(['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])

/** Ends what goes on for a person who has left; `tell` reaches them where they may still read. */
export type EndForPerson = (tell: (line: string) => void) => Promise<void>

const closers = new Set<() => Promise<void>>()
const forPerson = new Set<EndForPerson>()
let ending = false

/** Has this closed where the process ends before its work is done. */
export function closeAtEnd(close: () => Promise<void>): void {
  closers.add(close)
}

/** Has this ended where its person has left, before anything is closed. @returns what takes it back. */
export function endWithPerson(end: EndForPerson): () => void {
  forPerson.add(end)
  return () => forPerson.delete(end)
}

/**
 * Ends the process in order and without a word when nobody reads what it prints, with 141, or its terminal is closed, with
 * 129, and with a word and 74 when what it prints cannot be written: what goes on for its person is ended and what is open is
 * closed first, as after the work. [LOG8, CLI49]
 *
 * Node.js ignores SIGPIPE, and has an error of the stream end the process at once, with the store open.
 */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (ending) return
      if ('code' in error && GONE.has(error.code)) return endInOrder(READER_GONE, noWords)
      if (!('code' in error) || stream === process.stderr) throw error
      process.stderr.write(`What is printed cannot be written: ${error.message} (E_OUTPUT)\n`)
      endInOrder(NOT_WRITTEN, noWords)
    })
  }
  process.on('SIGHUP', () => endInOrder(TERMINAL_GONE, noWords))
}

/** Ends the process in order and with 143 when it is asked to end (SIGTERM); a second signal ends it at once. [CLI49] */
export function endWhenTerminated(): void {
  const tell = process.stderr.write.bind(process.stderr)
  process.on('SIGTERM', () => endInOrder(TERMINATED, (line) => tell(line)))
}

function noWords(): void {}

function endInOrder(exitCode: number, tell: (line: string) => void): void {
  if (ending) return
  ending = true
  process.exitCode = exitCode
  // What the work says of being closed is for nobody.
  process.stderr.write = () => true
  setTimeout(() => process.exit(exitCode), CLOSING_MS)
  setTimeout(() => endAtNextSignal(exitCode), SAME_SIGNAL_MS)
  void Promise.allSettled([...forPerson].map((end) => end(tell)))
    .then(() => Promise.allSettled([...closers].map((close) => close())))
    .then(() => process.exit(exitCode))
}

/** A terminal that is closed sends SIGHUP beside another signal, and more than once: it does not insist. */
function endAtNextSignal(exitCode: number): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(exitCode))
}
