import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk/unstable'
import { systemClock } from '@holdfast/engine/system'
import { expect, it, vi } from 'vitest'
import { serveAcp } from '../src/cli/acp/serve-acp.ts'
import type { LastingApi } from '../src/cli/reach/lasting-api.ts'
import { CliError } from '../src/cli-error.ts'

/** A server of which nothing is known but that it is there. */
const LOST_AGAIN = new CliError('E_LOST', 1, 'The server is gone')
const there: LastingApi = {
  call: () => Promise.reject(LOST_AGAIN),
  follow: () => {
    throw LOST_AGAIN
  },
}

it('[AGENT29] looks for the server again at the next request, where it could not be reached before', async () => {
  const [toAgent, toEditor] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
  const found: (() => Promise<LastingApi>)[] = [
    () => Promise.reject(new CliError('E_DATA_IN_USE', 1, 'Another program has this data folder')),
    () => Promise.resolve(there),
  ]
  const faults: unknown[] = []
  const serving = serveAcp({
    stream: ndJsonStream(toEditor.writable, toAgent.readable),
    reach: () => found.shift()?.() ?? Promise.reject(new Error('Nobody asks a third time')),
    clock: systemClock,
    onFault: (error) => faults.push(error),
  })
  const { agent } = client({ name: 'editor' }).connect(ndJsonStream(toAgent.writable, toEditor.readable))
  const list = () => agent.request(methods.agent.session.list, {})
  await agent.request(methods.agent.initialize, { protocolVersion: 1 })
  await vi.waitFor(() => expect(faults).toMatchObject([{ message: 'Another program has this data folder' }]))
  await expect(list()).rejects.toThrow(/The server is gone/)
  await expect(list()).rejects.toThrow(/The server is gone/)
  expect(found).toEqual([])
  serving.close()
})
