import type { Clock, Json } from '@holdfast/conversation'
import type { ToolContext, ToolReturn } from '@holdfast/tool'
import {
  type CallToolRequestOptions,
  type Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import { readQuestion } from './elicit.ts'
import type { OfferedTool } from './offered-tool.ts'
import { SERVER_LIMITS } from './server-settings.ts'
import { toToolReturn } from './tool-result.ts'

/** One call of a server's tool. */
export interface ServerCall {
  readonly server: string
  readonly tool: OfferedTool
  readonly input: Json
  readonly context: Pick<ToolContext, 'signal' | 'progress' | 'person'>
}

/** Longer than any call: the caller has the limits, and tells by the signal. */
const FOREVER_MS = 2_147_483_647

/**
 * Runs one call. Progress is passed on and shows that the server is alive; the signal cancels the call at the
 * server. Whatever the server does wrong is a result. [TOOL9, STOP2]
 */
export async function callTool(
  client: Client,
  { server, tool, input, context }: ServerCall,
  clock: Clock,
): Promise<ToolReturn> {
  if (!isRecord(input)) return failure(`${tool.name} takes an object, not ${JSON.stringify(input)?.slice(0, 100)}.`)
  let heardAt = Number.NEGATIVE_INFINITY
  try {
    const result = await client.callTool(
      { name: tool.name, arguments: { ...input } },
      {
        signal: context.signal,
        timeout: FOREVER_MS,
        ...definitionOf(tool),
        onprogress({ progress, total, message }) {
          const now = clock.monotonicMs()
          if (now - heardAt < SERVER_LIMITS.progressEveryMs) return
          heardAt = now
          const share = total === undefined ? String(progress) : `${progress}/${total}`
          context.progress(message === undefined ? share : `${share} ${message.slice(0, 300)}`)
        },
      },
    )
    return toToolReturn(result)
  } catch (error) {
    if (context.signal.aborted) throw error
    return error instanceof UrlElicitationRequiredError
      ? failure(await openPages(server, error, context))
      : failure(inWords(server, error))
  }
}

/** By the definition that was accepted the client knows which arguments are sent as headers too. */
function definitionOf({ name, parameters }: OfferedTool): Pick<CallToolRequestOptions, 'toolDefinition'> {
  const inputSchema = InputSchema.safeParse(parameters)
  return inputSchema.success ? { toolDefinition: { name, inputSchema: inputSchema.data } } : {}
}

const InputSchema = z.looseObject({ type: z.literal('object') })

/** A call that cannot go on before a person has been to a page: they are asked, and the model calls again or not. */
async function openPages(
  server: string,
  { elicitations }: UrlElicitationRequiredError,
  { person, signal }: ServerCall['context'],
): Promise<string> {
  for (const { message, url } of elicitations.slice(0, MOST_PAGES)) {
    const read = readQuestion(server, { mode: 'url', message, url })
    if (read.type === 'refused') return `The server ${server} wants a page to be opened that is refused. ${read.reason}`
    const answer = person ? await person.ask(read.question, { signal }) : { type: 'cancelled' }
    if (answer.type !== 'accepted')
      return `The server ${server} wants a person to open a page before it does this, and they did not. The call did not run.`
  }
  return `The server ${server} wanted a person to open a page before it does this. They have it open; call it again when they have done what it asks.`
}

const MOST_PAGES = 3

function inWords(server: string, error: unknown): string {
  if (error instanceof ProtocolError) return `The server ${server} refused the call: ${error.message.slice(0, 2_000)}`
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
    return `The connection to the server ${server} ended while the call ran. What it had done until then may remain; it is not called again by itself.`
  // A transport throws what its network throws: to the model it is a server that cannot be reached.
  return `The call of the server ${server} failed: ${error instanceof Error ? error.message.slice(0, 2_000) : 'no reason'}`
}

function failure(text: string): ToolReturn {
  return { type: 'tool-return', text, isError: true, images: [] }
}

function isRecord(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
