import type { Json } from '@holdfast/conversation'
import { type ModelRequest, ProviderError } from '../model-port.ts'
import type { RequestBlobs } from '../request-blobs.ts'
import { oncePerTools } from '../shared-tools.ts'
import { RawJson, writeJson } from '../wire/json-text.ts'
import { type ChatTraits, thinkingParameters } from './chat-traits.ts'
import { encodeMessages } from './encode-messages.ts'

/** What decides the bytes besides the request. */
export interface ChatBodyOptions {
  readonly blobs: RequestBlobs
  readonly traits: ChatTraits
}

/** What the adapter says itself; a parameter of that name would be said twice. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'messages',
  'n',
])

/**
 * Writes the body of a Chat Completions request: the same request gives the same bytes. [REQ1]
 *
 * The messages stand last, so that the body of the next turn begins with the bytes of this one up to the end of its
 * last message. [REQ5]
 */
export function encodeChatRequest(request: ModelRequest, { blobs, traits }: ChatBodyOptions): string {
  const { tools, maxOutputTokens } = request
  return writeJson({
    model: request.modelId,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxOutputTokens === null ? {} : { [traits.outputLimitField]: maxOutputTokens }),
    ...thinkingParameters(request.thinkingBudgetTokens, traits.thinking),
    ...ownParameters(request.parameters),
    tools: tools.length === 0 ? undefined : toolsJson(tools),
    tool_choice: tools.length > 0 && request.toolChoice === 'none' ? 'none' : undefined,
    messages: encodeMessages(request, { blobs, traits }),
  })
}

/** [TOOL16] */
const toolsJson = oncePerTools((tools) => {
  const list = tools.map(({ name, description, parameters }) => {
    return { type: 'function', function: { name, description, parameters } }
  })
  return new RawJson(writeJson(list))
})

/** @throws {ProviderError} `bad-request` when a parameter is one of ours. */
function ownParameters(parameters: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const taken = Object.keys(parameters).find((key) => OWN_KEYS.has(key))
  if (taken === undefined) return parameters
  throw new ProviderError(
    'bad-request',
    `The parameter "${taken}" is not a setting. Remove it from the model's parameters`,
    {},
  )
}
