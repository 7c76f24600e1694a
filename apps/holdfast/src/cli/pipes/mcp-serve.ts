import { systemClock, systemRandom } from '@holdfast/engine/system'
import { serveOverStdio } from '@holdfast/interop/mcp'
import { Scope } from '@holdfast/protocol'
import { VERSION } from '../../version.ts'
import type { LastingApi } from '../reach/lasting-api.ts'
import type { ReachOptions } from '../reach/reach-server.ts'
import { takeStdout, watchParent } from './own-pipes.ts'

/** The longest that closing takes when the client is gone, in milliseconds. What is open then is recovered. */
const CLOSING_MS = 1_200

/** Serves the conversations to a client of MCP over stdin and stdout until it is gone. @returns the exit code. */
export async function serveMcp(options: ReachOptions): Promise<number> {
  const output = takeStdout()
  const leaving = new AbortController()
  const parent = watchParent(() => leaving.abort())
  let close = async (): Promise<void> => {}
  let reached: Promise<LastingApi> | null = null
  async function reach(): Promise<LastingApi> {
    // The server is no part of what answers the client first.
    const { reachServer } = await import('../reach/reach-server.ts')
    const { createLastingApi } = await import('../reach/lasting-api.ts')
    const server = await reachServer(options)
    close = server.close
    const { signal } = leaving
    return createLastingApi({ server, clock: systemClock, random: systemRandom, signal, onLine: () => {} })
  }
  /** What could not be reached is looked for again by the next call. */
  const apiNow = (): Promise<LastingApi> => {
    reached ??= reach().catch((error: unknown) => {
      reached = null
      throw error
    })
    return reached
  }
  const served = serveOverStdio(
    {
      calls: { call: async (route, asked) => (await apiNow()).call(route, asked) },
      clock: systemClock,
      version: VERSION,
      scopes: Scope.options,
    },
    {
      input: process.stdin,
      output,
      onFault: (error) => {
        if (!leaving.signal.aborted) process.stderr.write(`${error.message}\n`)
      },
    },
  )
  process.stdin.once('end', () => leaving.abort())
  process.stdin.once('close', () => leaving.abort())
  await new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve(), { once: true }))
  parent.end()
  await served.close()
  const late = setTimeout(() => process.exit(0), CLOSING_MS)
  await close()
  clearTimeout(late)
  process.exit(0)
}
