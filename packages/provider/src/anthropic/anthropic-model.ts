import type { Ids } from '@holdfast/conversation'
import type { BlobSource } from '../blob-source.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import type { ModelRequest, WirePort } from '../model-port.ts'
import { readBlobs } from '../request-blobs.ts'
import { endpointUrl } from '../wire/base-url.ts'
import { createCallIds } from '../wire/call-ids.ts'
import { claudeBindsThinking } from '../wire/claude-thinking.ts'
import type { HttpLimits } from '../wire/http-limits.ts'
import { createAnswerParser } from './answer-parser.ts'
import { encodeRequest } from './encode-request.ts'

/** Where Anthropic's Messages are spoken, and who asks. */
export interface AnthropicEndpoint {
  /** With or without `/v1`. */
  readonly baseUrl: string
  /** Null where none is needed. */
  readonly apiKey: string | null
  /** Sent with every request besides the key, such as `anthropic-beta`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly limits: HttpLimits
}

/** What the adapter is made of. */
export interface AnthropicModelDeps extends AnthropicEndpoint {
  readonly providerId: string
  readonly ids: Ids
  /** The limit of output that a request gets which leaves it open: Anthropic asks for one. */
  readonly defaultMaxOutputTokens: (modelId: string) => number
}

/** Makes the way to a model by Anthropic's Messages: exact bytes, early usage, no retries. */
export function createAnthropicModel(deps: AnthropicModelDeps): WirePort {
  const { providerId, ids, baseUrl, limits } = deps
  const url = endpointUrl(baseUrl, '/messages')
  const headers = anthropicHeaders(deps)
  const wireBody = async (request: ModelRequest, blobs: BlobSource): Promise<string> =>
    encodeRequest(request, {
      blobs: await readBlobs(request, blobs),
      defaultMaxOutputTokens: deps.defaultMaxOutputTokens(request.modelId),
    })
  return {
    providerId,
    bindsThinking: claudeBindsThinking,
    stream: (request, ports) =>
      streamAnswer(ports, async () => {
        const body = await wireBody(request, ports.blobs)
        const parser = createAnswerParser({
          callIds: createCallIds({ messages: request.messages, next: () => ids.next('call') }),
        })
        return {
          request: { vendor: 'anthropic', method: 'POST', url, headers, body, signal: ports.signal, limits },
          parser,
        }
      }),
    wireBody,
  }
}

/** The headers of every request to Anthropic. */
export function anthropicHeaders({ apiKey, headers }: AnthropicEndpoint): Readonly<Record<string, string>> {
  return { 'anthropic-version': '2023-06-01', ...(apiKey === null ? {} : { 'x-api-key': apiKey }), ...headers }
}
