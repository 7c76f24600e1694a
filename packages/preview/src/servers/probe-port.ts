import { request } from 'node:http'
import type { Clock } from '@holdfast/conversation'
import { type Connect, targetAt } from './machine-port.ts'

/** What a port was found to be; null where nothing answers HTTP there. */
export type Probed = { readonly isSecure: boolean; readonly isHtml: boolean } | null

const TLS_MS = 2_000

/** Asks a port for its first page: in the clear, and with TLS where that is not understood. */
export async function probePort(
  { port, connect }: { readonly port: number; readonly connect: Connect },
  { limitMs, clock, signal }: { readonly limitMs: number; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Probed> {
  for (const isSecure of [false, true]) {
    const limit = new AbortController()
    const cancel = clock.after(isSecure ? TLS_MS : limitMs, () => limit.abort())
    try {
      return { isSecure, isHtml: await asked({ port, isSecure, connect }, AbortSignal.any([signal, limit.signal])) }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (signal.aborted) return null
    } finally {
      cancel()
    }
  }
  return null
}

async function asked(
  { port, isSecure, connect }: { readonly port: number; readonly isSecure: boolean; readonly connect: Connect },
  signal: AbortSignal,
): Promise<boolean> {
  const stream = await targetAt({ port, isSecure, connect }).connect(signal)
  try {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const sent = request({
      createConnection: () => stream,
      path: '/',
      headers: { host: `localhost:${port}`, accept: 'text/html', connection: 'close' },
      signal,
    })
    sent.once('response', (answer) => {
      resolve(answer.statusCode === 426 ? false : (answer.headers['content-type'] ?? '').startsWith('text/html'))
      answer.resume()
    })
    sent.once('error', reject)
    sent.end()
    return await promise
  } finally {
    stream.destroy()
  }
}
