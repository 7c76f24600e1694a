import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '@holdfast/conversation'
import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { type AgentBench, type BenchOptions, openAgentBench } from './agent-bench.ts'

/** A bench whose agent is offered two tools: one draws, one keeps. */
export interface HouseBench extends AgentBench {
  /** What the tools were given, in their order. */
  readonly drawn: unknown[]
  /** Keys that were given back. */
  readonly revoked: string[]
  /** Breaks the lines of calls that wait. Resolves when that is known here. */
  breakLines(): Promise<void>
  restart(): Promise<HouseBench>
}

const Asked = z.object({ name: z.string(), input: z.json() })

/** Opens one. The door of its tools takes a name and an input; that of the product speaks MCP. */
export async function openHouseBench(options: BenchOptions): Promise<HouseBench> {
  const drawn: unknown[] = []
  const revoked: string[] = []
  const held: { bench: AgentBench | null } = { bench: null }
  const broken = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const leaving = new AbortController()
    const { promise, resolve } = Promise.withResolvers<void>()
    broken.add(promise)
    response.on('close', () => {
      leaving.abort()
      resolve()
    })
    void answer(request, leaving.signal).then((told) => response.end(JSON.stringify(told)))
  })

  async function answer(request: IncomingMessage, signal: AbortSignal): Promise<Json> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(Buffer.from(part))
    const { name, input } = Asked.parse(JSON.parse(Buffer.concat(parts).toString('utf8')))
    const { bench } = held
    if (bench === null) throw new Error('Nobody is served yet')
    const { text, isError } = await bench.agents.house.call({
      conversationId: bench.conversationId,
      name,
      input,
      signal,
    })
    return { text, isError }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const first = await openAgentBench({
    flags: ['http'],
    house: [tool('canvas_add_card', drawn), tool('memory_save', drawn)],
    openHouse: async ({ conversationId }) => ({
      url: `http://127.0.0.1:${port}/`,
      key: `key of ${conversationId}`,
      bridge: { command: 'holdfast', args: ['house-bridge'], env: { KEY: 'x' } },
      revoke: () => void revoked.push(conversationId),
    }),
    ...options,
  })

  function around(bench: AgentBench): HouseBench {
    held.bench = bench
    return {
      ...bench,
      drawn,
      revoked,
      async breakLines() {
        server.closeAllConnections()
        await Promise.all(broken)
      },
      restart: async () => around(await bench.restart()),
      async close() {
        await bench.close()
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }
  return around(first)
}

function tool(name: string, drawn: unknown[]): Tool {
  return defineTool({
    name,
    description: `The tool ${name}`,
    input: z.object({ title: z.string() }),
    category: 'other',
    run: (input) => {
      drawn.push(input)
      return `card ${drawn.length}`
    },
  })
}
