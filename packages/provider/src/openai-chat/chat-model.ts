import type { Ids } from '@holdfast/conversation'
import type { BlobSource } from '../blob-source.ts'
import type { Vendor } from '../errors/error-rules.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import type { ModelRequest, WirePort } from '../model-port.ts'
import { readBlobs } from '../request-blobs.ts'
import { endpointUrl } from '../wire/base-url.ts'
import { createCallIds } from '../wire/call-ids.ts'
import { claudeBindsThinking } from '../wire/claude-thinking.ts'
import type { HttpLimits } from '../wire/http-limits.ts'
import { createChatParser } from './chat-parser.ts'
import type { ChatTraits } from './chat-traits.ts'
import { encodeChatRequest } from './encode-request.ts'

/** Where Chat Completions are spoken, and who asks. */
export interface ChatEndpoint {
  readonly vendor: Vendor
  /** With or without `/v1`. */
  readonly baseUrl: string
  /** Null where none is needed: servers on this machine. */
  readonly apiKey: string | null
  /** Sent with every request besides the key; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly limits: HttpLimits
}

/** What the adapter is made of. */
export interface ChatModelDeps extends ChatEndpoint {
  readonly providerId: string
  readonly ids: Ids
  readonly traitsOf: (modelId: string) => ChatTraits
}

/** Makes the way to a model by Chat Completions, of OpenAI or of any server that speaks it. No retries. */
export function createChatModel(deps: ChatModelDeps): WirePort {
  const { providerId, vendor, ids, baseUrl, limits, traitsOf } = deps
  const url = endpointUrl(baseUrl, '/chat/completions')
  const headers = chatHeaders(deps)
  const wireBody = async (request: ModelRequest, blobs: BlobSource): Promise<string> =>
    encodeChatRequest(request, { blobs: await readBlobs(request, blobs), traits: traitsOf(request.modelId) })
  return {
    providerId,
    // Details may hold what another vendor signed; plain text is bound to nothing.
    bindsThinking: (modelId) =>
      traitsOf(modelId).reasoningReplay === 'reasoning_details' && claudeBindsThinking(modelId),
    stream: (request, ports) =>
      streamAnswer(ports, async () => {
        const traits = traitsOf(request.modelId)
        const body = await wireBody(request, ports.blobs)
        const callIds = createCallIds({ messages: request.messages, next: () => ids.next('call') })
        const parser = createChatParser({ vendor, callIds, reasoningReplay: traits.reasoningReplay })
        return { request: { vendor, method: 'POST', url, headers, body, signal: ports.signal, limits }, parser }
      }),
    wireBody,
  }
}

/** The headers of every request. */
export function chatHeaders({ apiKey, headers }: ChatEndpoint): Readonly<Record<string, string>> {
  return { ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers }
}
