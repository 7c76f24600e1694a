import type { ClientResult } from '@holdfast/engine'
import type { ResponseInput, ResponsePart, ResponseRequest, ResponseTool } from '@holdfast/protocol'
import { RefusedError } from '@holdfast/server'
import type { ToolDefinition } from '@holdfast/tool'
import type { SaidMessage } from '../openai/asked-completion.ts'
import { namedIn } from './response-ids.ts'
import { CUSTOM_INPUT } from './response-items.ts'

/** What a request for an answer asks for. */
export interface AskedResponse {
  /** What the instructions, system and developer messages say; null where there is none. */
  readonly instructions: string | null
  /** All before what is asked now, as far as people and models said it. */
  readonly history: readonly SaidMessage[]
  /** The newest item of the input that is from here: it says which conversation goes on, and from where. */
  readonly newest: NonNullable<ReturnType<typeof namedIn>> | null
  /** What is asked now; pictures with their bytes, which are not kept yet. */
  readonly content: readonly AskedPart[]
  /** What came of calls that the client ran since the model last said something, with their ids as the log has them. */
  readonly results: readonly ClientResult[]
  /** The client's own id of its newest message; null where it gives none. */
  readonly messageId: string | null
  /** Null where the client brings none. */
  readonly tools: readonly ToolDefinition[] | null
  /** The names of parameters and tools that there is no place for. */
  readonly ignored: readonly string[]
}

/** A part of what is asked. */
export type AskedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'attachment'; readonly attachmentId: string }
  | { readonly type: 'picture'; readonly bytes: Uint8Array; readonly mediaType: string }

/** What is looked at; anything else is named in the answer as not looked at. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'previous_response_id', 'conversation', 'stream', 'store', 'background'],
  ...['tools', 'tool_choice', 'metadata', 'user', 'parallel_tool_calls', 'prompt_cache_key', 'client_metadata'],
])

/** Items of the input that a model made, as they were told. */
const BY_MODEL: ReadonlySet<string> = new Set([
  ...['reasoning', 'function_call', 'custom_tool_call', 'mcp_call', 'item_reference'],
])

/**
 * Reads what is asked: all after the last item that a model made.
 *
 * @throws {RefusedError} when something is asked for that is not done here.
 */
export function toAskedResponse(body: ResponseRequest): AskedResponse {
  checkChoice(body)
  const items: readonly ResponseInput[] =
    typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input
  checkResults(items)
  const lastMade = items.findLastIndex(isMade)
  const users = items.slice(lastMade + 1).filter(({ role }) => role === 'user')
  const said = items.slice(0, lastMade + 1).filter(({ role }) => role === 'user' || role === 'assistant')
  const rules = items.filter(({ role }) => role === 'system' || role === 'developer').map(wordsOf)
  const instructions = [body.instructions ?? '', ...rules].filter((text) => text !== '').join('\n\n')
  const tools = body.tools ?? []
  const offered = tools.flatMap(toDefinition)
  checkNames(offered)
  return {
    instructions: instructions === '' ? null : instructions,
    history: said.map((item) => ({ role: item.role === 'user' ? 'user' : 'assistant', text: wordsOf(item) })),
    newest: items.map(namedBy).findLast((named) => named !== null) ?? null,
    content: users.flatMap(({ content }) => partsOf(content).map(toAskedPart)),
    results: items.slice(items.findLastIndex(({ role }) => role === 'assistant') + 1).flatMap(toResult),
    messageId: users.at(-1)?.id ?? null,
    tools: offered.length === 0 ? null : body.tool_choice === 'none' ? [] : offered,
    ignored: [
      ...Object.keys(body).filter((name) => !KNOWN.has(name) && body[name] != null),
      ...tools.filter((tool) => toDefinition(tool).length === 0).map(({ type, name }) => `tools.${name ?? type}`),
    ],
  }
}

function isMade({ type, role }: ResponseInput): boolean {
  return role === 'assistant' || (type != null && BY_MODEL.has(type))
}

function namedBy(item: ResponseInput) {
  if (!isMade(item)) return null
  return namedIn(item.call_id ?? item.id ?? '') ?? namedIn(item.id ?? '')
}

function checkChoice({ tool_choice: choice, text, background, store }: ResponseRequest): void {
  if (choice != null && choice !== 'auto' && choice !== 'none')
    throw refused('The model chooses its calls itself: leave tool_choice out, or say "auto" or "none"')
  if (isObject(text) && isObject(text['format']) && text['format']['type'] !== 'text')
    throw refused('Answers are text: leave text.format out, and ask for the form in the message')
  if (background === true && store === false)
    throw refused('What goes on in the background is asked for later: leave store out, or background')
}

/** What came of a call that nobody made; those of another program come with their calls. */
function checkResults(items: readonly ResponseInput[]): void {
  const told = new Set(items.filter(isMade).map(({ call_id: callId }) => callId))
  const unknown = items
    .filter(isResult)
    .find(({ call_id: callId }) => !told.has(callId) && namedIn(callId ?? '') === null)
  if (unknown)
    throw new RefusedError(
      400,
      'bad-request',
      `No tool call found for the output with call_id ${quoted(unknown.call_id)}`,
    )
}

/** What providers take for the name of a tool. */
const TOOL_NAME = /^[\w-]{1,64}$/

function checkNames(tools: readonly ToolDefinition[]): void {
  const wrong = tools.find(({ name }) => !TOOL_NAME.test(name))
  if (wrong) throw refused(`${quoted(wrong.name)} is no name of a tool: letters, digits, _ and -, 64 at most`)
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name)) throw refused(`Two tools are named ${quoted(name)}`)
    names.add(name)
  }
}

function quoted(text: string | null | undefined): string {
  return JSON.stringify((text ?? '').slice(0, 100))
}

/** A tool whose input is text and no JSON has an object around it here. */
function toDefinition({ type, name, description, parameters }: ResponseTool): readonly ToolDefinition[] {
  if (name == null || (type !== 'function' && type !== 'custom')) return []
  const asText = { type: 'object', properties: { [CUSTOM_INPUT]: { type: 'string' } }, required: [CUSTOM_INPUT] }
  const schema = type === 'custom' ? asText : (parameters ?? { type: 'object', properties: {} })
  return [{ name, description: description ?? '', parameters: schema, source: 'client', runsAt: 'client' }]
}

function isResult({ type }: ResponseInput): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output'
}

function toResult(item: ResponseInput): readonly ClientResult[] {
  if (!isResult(item)) return []
  const { call_id: callId, output } = item
  const named = namedIn(callId ?? '')
  if (named === null) return []
  const parts = partsOf(output).map(toAskedPart)
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const images = parts.flatMap((part) => (part.type === 'picture' ? [part] : []))
  if (parts.some((part) => part.type === 'attachment')) throw refused('A picture in a result is sent as a data URL')
  return [{ callId: named.part, text, isError: false, images }]
}

function partsOf(content: ResponseInput['content']): readonly ResponsePart[] {
  if (content == null) return []
  return typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
}

function wordsOf({ content }: ResponseInput): string {
  return partsOf(content)
    .flatMap(({ text }) => (text == null ? [] : [text]))
    .join('\n')
}

function toAskedPart(part: ResponsePart): AskedPart {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: part.text ?? '' }
    case 'input_image':
      return toPicture(part.image_url ?? '')
    default:
      throw refused(`A part of the type "${part.type.slice(0, 50)}" is sent by the page or the API`)
  }
}

function toPicture(address: string): AskedPart {
  const attachmentId = /(?:^|\/)attachments\/([^/?#]+)$/.exec(address)?.[1]
  if (attachmentId !== undefined) return { type: 'attachment', attachmentId: decodeURIComponent(attachmentId) }
  const [head = '', data = ''] = address.split(',', 2)
  const mediaType = /^data:(image\/[\w.+-]+);base64$/.exec(head)?.[1]
  if (mediaType !== undefined && data !== '') return { type: 'picture', mediaType, bytes: Buffer.from(data, 'base64') }
  throw refused(
    'A picture is sent as a data URL with its bytes in base64, or by reference: upload it with POST /api/v1/attachments, and give /api/v1/attachments/ID. Nothing is fetched from an address.',
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(words: string): RefusedError {
  return new RefusedError(422, 'bad-request', words)
}
