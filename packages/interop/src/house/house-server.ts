import type { Clock, Json } from '@holdfast/conversation'
import type { ToolDefinition } from '@holdfast/tool'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

/** Tools of conversations, as their agents call them. */
export interface HousePort {
  definitionsOf(conversationId: string): readonly ToolDefinition[]
  /** Resolves when the call has come to its end, which may be a person's to decide. The signal fires when nobody waits for it. */
  call(made: {
    readonly conversationId: string
    readonly name: string
    readonly input: Json
    readonly signal: AbortSignal
  }): Promise<{ readonly text: string; readonly isError: boolean }>
}

/** What the tools of one conversation are served with. */
export interface HouseServerDeps {
  readonly port: HousePort
  readonly conversationId: string
  readonly clock: Pick<Clock, 'after'>
  readonly version: string
  /** Fires when whoever sent the request, or the key that it came with, has gone, or when it is called off. */
  readonly signal: AbortSignal
}

/** One message of MCP over HTTP. */
export interface HouseRequest {
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
}

const INSTRUCTIONS =
  'Tools of Holdfast, in which this conversation is shown. The canvas is a page beside it for what is better seen than ' +
  'read: figures, tables, charts, lists, forms, pages. Memories are lasting facts about the user, kept for later conversations.'

/**
 * How often a call that waits says that it does, in milliseconds. Clients give a call up after a minute of silence: so do
 * opencode 1.18.33 and Gemini CLI 0.61.0.
 */
const TELLING_MS = 10_000

/** Where the server is, for what speaks the protocol: it looks at the path of nothing. */
const ANYWHERE = 'http://localhost/'

/** Answers one message; a server is made for it, and ends with it. [AGENT41] */
export function answerHouse(deps: HouseServerDeps, { method, headers, body }: HouseRequest): Promise<Response> {
  const handler = createMcpHandler(() => createHouseServer(deps))
  const posted = method === 'POST' ? { body: JSON.stringify(body) } : {}
  const request = new Request(ANYWHERE, { method, headers, signal: deps.signal, ...posted })
  return handler.fetch(request, method === 'POST' ? { parsedBody: body } : {})
}

function createHouseServer({ port, conversationId, clock, version, signal }: HouseServerDeps): McpServer {
  const capabilities = { tools: {} }
  const served = new McpServer({ name: 'holdfast', version }, { capabilities, instructions: INSTRUCTIONS })
  // Its own handlers take schemas of a library; ours are as they are told.
  const { server } = served
  server.setRequestHandler('tools/list', () => ({ tools: port.definitionsOf(conversationId).map(toTool) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const input = z.json().parse(params.arguments ?? {})
    const token = mcpReq._meta?.progressToken
    const stopTelling = tellOn(clock, async (progress) => {
      if (token === undefined) return
      const told = { progressToken: token, progress, message: 'It waits in Holdfast.' }
      await mcpReq.notify({ method: 'notifications/progress', params: told })
    })
    try {
      const until = AbortSignal.any([signal, mcpReq.signal])
      const { text, isError } = await port.call({ conversationId, name: params.name, input, signal: until })
      return { content: [{ type: 'text', text }], isError }
    } finally {
      stopTelling()
    }
  })
  return served
}

/** Says again and again, with a number that grows, that something still goes on. */
function tellOn(clock: Pick<Clock, 'after'>, tell: (count: number) => Promise<void>): () => void {
  let cancel = (): void => {}
  function next(count: number): void {
    cancel = clock.after(TELLING_MS, () => {
      // Who has gone meanwhile is told by the signal.
      tell(count).catch(() => {})
      next(count + 1)
    })
  }
  next(1)
  return () => cancel()
}

const Schema = z.looseObject({ type: z.literal('object') })

function toTool({ name, description, parameters, annotations }: ToolDefinition) {
  const { readOnly, destructive, idempotent, openWorld } = annotations ?? {}
  const hints = {
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
    ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
  }
  return { name, description, inputSchema: Schema.parse(parameters), annotations: hints }
}
