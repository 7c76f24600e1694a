import { Writable } from 'node:stream'

/** How often it is looked whether who started this is still there, in milliseconds. */
const PARENT_MS = 500

/** From here on only a protocol goes to stdout; what anything else prints goes to stderr. */
export function takeStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout)
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk, (error) => done(error))
    },
  })
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return output
}

/** Calls `onGone` when who started this process is gone, until it is ended. */
export function watchParent(onGone: () => void): { readonly end: () => void } {
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid !== parent) onGone()
  }, PARENT_MS)
  return { end: () => clearInterval(looking) }
}
