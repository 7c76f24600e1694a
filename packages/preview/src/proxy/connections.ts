import { Agent, type ClientRequestArgs } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Target } from './target.ts'

/** Connections to one target, kept for the next request. */
export interface Connections {
  readonly agent: Agent
  /** One that is kept for nobody, for a socket. */
  readonly alone: (options: ClientRequestArgs, done: (error: Error | null, stream: Duplex) => void) => undefined
  close(): void
}

/** More at once than a browser opens to one host, event streams included. */
const MOST = 512
const KEPT = 16

/** No connection yet. */
export function openConnections(target: Target): Connections {
  const closing = new AbortController()
  const alone: Connections['alone'] = (_options, done) => {
    target.connect(closing.signal).then(
      (stream) => done(null, stream),
      // Node.js reads no stream beside an error.
      (error: Error) => (done as (error: Error) => void)(error),
    )
    return undefined
  }
  class TargetAgent extends Agent {
    override createConnection(options: ClientRequestArgs, done: Parameters<Connections['alone']>[1]): undefined {
      return alone(options, done)
    }
  }
  const agent = new TargetAgent({ keepAlive: true, maxSockets: MOST, maxFreeSockets: KEPT })
  return {
    agent,
    alone,
    close() {
      closing.abort()
      agent.destroy()
    },
  }
}
