import type { Json } from '@holdfast/conversation'
import { type ModelRequest, ProviderError } from '../model-port.ts'
import type { RequestBlobs } from '../request-blobs.ts'
import { oncePerTools } from '../shared-tools.ts'
import { claudeTakesEffort } from '../wire/claude-thinking.ts'
import { RawJson, type WireJson, writeJson } from '../wire/json-text.ts'
import { thinkingEffort } from '../wire/thinking-effort.ts'
import { encodeMessages } from './encode-messages.ts'

/** What stands at the head of a body besides the request. */
export interface BodyOptions {
  readonly blobs: RequestBlobs
  /** Anthropic asks for a limit in every request; it is this where the request leaves it open. */
  readonly defaultMaxOutputTokens: number
}

/** Anthropic takes no more. [CACHE1] */
const MOST_MARKS = 4

/** What the adapter says itself; a parameter of that name would be said twice. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'stream',
  'tools',
  'tool_choice',
  'system',
  'messages',
])

/**
 * Writes the body of a Messages request: the same request gives the same bytes. [REQ1]
 *
 * The messages stand last, so that, cache marks apart, the body of the next turn begins with the bytes of this
 * one up to the end of its last message. [REQ5]
 */
export function encodeRequest(request: ModelRequest, options: BodyOptions): string {
  const { tools, cacheMarks, thinkingBudgetTokens } = request
  const mark = cacheMarks ? cacheControl(cacheMarks.ttl) : undefined
  const markSystem = cacheMarks?.system ? mark : undefined
  const messages = encodeMessages(request, { blobs: options.blobs, mark })
  const marks = messages.marks + (markSystem && (tools.length > 0 || request.system !== '') ? 1 : 0)
  if (marks > MOST_MARKS) throw new Error(`The request has ${marks} cache marks, Anthropic takes ${MOST_MARKS}`)
  return writeJson({
    model: request.modelId,
    max_tokens: request.maxOutputTokens ?? options.defaultMaxOutputTokens,
    stream: true,
    ...(thinkingBudgetTokens === null ? {} : thinkingFields(request.modelId, thinkingBudgetTokens)),
    ...ownParameters(request.parameters),
    tools: tools.length === 0 ? undefined : encodeTools(request, request.system === '' ? markSystem : undefined),
    tool_choice: tools.length > 0 && request.toolChoice === 'none' ? { type: 'none' } : undefined,
    system: isBlank(request.system) ? undefined : [{ type: 'text', text: request.system, cache_control: markSystem }],
    messages: messages.wire,
  })
}

/** Asks for thinking in the form that the model takes. */
function thinkingFields(modelId: string, budgetTokens: number): Readonly<Record<string, WireJson>> {
  if (!claudeTakesEffort(modelId)) return { thinking: { type: 'enabled', budget_tokens: budgetTokens } }
  return { thinking: { type: 'adaptive' }, output_config: { effort: thinkingEffort(budgetTokens) } }
}

/** The mark that asks to keep what stands before it. */
function cacheControl(ttl: '5m' | '1h'): WireJson {
  return ttl === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl }
}

/** The list up to where a mark on its last tool would stand. [TOOL16] */
const toolsUpToMark = oncePerTools((tools) => {
  const list = tools.map(({ name, description, parameters }) => {
    return { name, description: isBlank(description) ? undefined : description, input_schema: parameters }
  })
  return writeJson(list).slice(0, -'}]'.length)
})

function encodeTools({ tools }: ModelRequest, markLast: WireJson | undefined): WireJson {
  const mark = markLast === undefined ? '' : `,"cache_control":${writeJson(markLast)}`
  return new RawJson(`${toolsUpToMark(tools)}${mark}}]`)
}

/** @throws {ProviderError} `bad-request` when a parameter is one of ours. */
function ownParameters(parameters: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const taken = Object.keys(parameters).find((key) => OWN_KEYS.has(key))
  if (taken !== undefined)
    throw new ProviderError(
      'bad-request',
      `The parameter "${taken}" is not a setting. Remove it from the model's parameters`,
      {},
    )
  return parameters
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
