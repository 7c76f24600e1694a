import { Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk/unstable'
import { systemClock, systemRandom } from '@holdfast/engine/system'
import type { ReachOptions } from '../reach/reach-server.ts'
import { serveAcp } from './serve-acp.ts'

/** How often it is looked whether who started this is still there, in milliseconds. */
const PARENT_MS = 500

/** The longest that closing takes when the editor is gone, in milliseconds. What is open then is recovered. */
const CLOSING_MS = 1_200

/** Serves an editor over stdin and stdout until it is gone. @returns the exit code. */
export async function acp(options: ReachOptions): Promise<number> {
  const output = takeStdout()
  const leaving = new AbortController()
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid !== parent) leaving.abort()
  }, PARENT_MS)
  let close = async (): Promise<void> => {}
  const reach = async () => {
    // The server is no part of what answers the editor first.
    const { reachServer } = await import('../reach/reach-server.ts')
    const { createLastingApi } = await import('../reach/lasting-api.ts')
    const server = await reachServer(options)
    close = server.close
    return createLastingApi({
      server,
      clock: systemClock,
      random: systemRandom,
      signal: leaving.signal,
      onLine: () => {},
    })
  }
  const onFault = (error: unknown): void => {
    if (!leaving.signal.aborted) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
  const stream = ndJsonStream(output, readableOf())
  const connection = serveAcp({ stream, reach, clock: systemClock, onFault })
  const left = Promise.withResolvers<void>()
  leaving.signal.addEventListener('abort', () => left.resolve(), { once: true })
  await Promise.race([connection.closed, left.promise])
  leaving.abort()
  clearInterval(looking)
  connection.close()
  const late = setTimeout(() => process.exit(0), CLOSING_MS)
  await close()
  clearTimeout(late)
  process.exit(0)
}

/** From here on only the protocol goes to stdout; what anything else prints goes to stderr. */
function takeStdout(): WritableStream<Uint8Array> {
  const write = process.stdout.write.bind(process.stdout)
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk, (error) => done(error))
    },
  })
  process.stdout.write = process.stderr.write.bind(process.stderr)
  return Writable.toWeb(output)
}

function readableOf(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      process.stdin.on('data', (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)))
      process.stdin.on('end', () => controller.close())
      process.stdin.on('error', (error) => controller.error(error))
    },
  })
}
