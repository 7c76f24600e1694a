import { type IncomingMessage, request } from 'node:http'
import type { Connections } from './connections.ts'
import { hostOf, type Target } from './target.ts'

/** The longest text that is read of a target, in bytes. */
const MOST_BYTES = 8_000_000

/** What a target answers to a path, for who looks for sources in it; null where it has none, or too much. */
export async function readText(
  { target, connections }: { readonly target: Target; readonly connections: Connections },
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const answer = await answerOf({ target, connections }, path, signal)
    if (answer.statusCode !== 200) {
      answer.destroy()
      return null
    }
    const pieces: Buffer[] = []
    let sizeBytes = 0
    for await (const piece of answer) {
      pieces.push(piece)
      sizeBytes += piece.length
      if (sizeBytes > MOST_BYTES) return null
    }
    return Buffer.concat(pieces).toString('utf8')
  } catch (error) {
    // Nobody answers, or it took too long.
    if (error instanceof Error) return null
    throw error
  }
}

function answerOf(
  { target, connections }: { readonly target: Target; readonly connections: Connections },
  path: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { host: hostOf(target), accept: '*/*', 'accept-encoding': 'identity' }
  const sent = request({ agent: connections.agent, path, headers, setHost: false, signal })
  sent.once('response', resolve)
  sent.once('error', reject)
  sent.end()
  return promise
}
