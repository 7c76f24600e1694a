import { Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk/unstable'
import { systemClock, systemRandom } from '@holdfast/engine/system'
import { takeStdout, watchParent } from '../pipes/own-pipes.ts'
import type { ReachOptions } from '../reach/reach-server.ts'
import { serveAcp } from './serve-acp.ts'

/** The longest that closing takes when the editor is gone, in milliseconds. What is open then is recovered. */
const CLOSING_MS = 1_200

/** Serves an editor over stdin and stdout until it is gone. @returns the exit code. */
export async function acp(options: ReachOptions): Promise<number> {
  const output = Writable.toWeb(takeStdout())
  const leaving = new AbortController()
  const parent = watchParent(() => leaving.abort())
  process.once('SIGTERM', () => leaving.abort())
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
  parent.end()
  connection.close()
  const late = setTimeout(() => process.exit(0), CLOSING_MS)
  await close()
  clearTimeout(late)
  process.exit(0)
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
