import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import {
  byteTokenizer,
  type CheckState,
  checkAnthropic,
  checkConverse,
  checkGemini,
  checkOpenaiChat,
  checkOpenaiResponses,
  createModel,
  createSigner,
  type JsonRecord,
  type Refusal,
  STRICT_MODELS,
  type StrictModel,
} from '@holdfast/conformance'
import type { BlobSource, ModelRequest, Vendor } from '@holdfast/provider'
import { createAiSdkModel } from '@holdfast/provider/ai-sdk'
import { encodeAnthropicRequest } from '@holdfast/provider/anthropic'
import { encodeChatRequest, PLAIN_CHAT } from '@holdfast/provider/openai-chat'
import * as z from 'zod'
import type { SealThinking } from './parts/replica.ts'
import type { FormatChecks } from './rules/request-rules.ts'

const signer = createSigner('simulation')
const Body = z.record(z.string(), z.unknown())
const Signature = z.object({ type: z.literal('anthropic.signature'), signature: z.string() })

/** The signature that Anthropic's models give: it covers the thinking and names the one before. */
export const sealThinking: SealThinking = (text, request) => {
  const previous = request.messages
    .flatMap((message) => (message.role === 'assistant' ? message.blocks : []))
    .map((block) => (block.type === 'thinking' ? Signature.safeParse(block.providerState).data?.signature : undefined))
    .findLast((signature) => signature !== undefined)
  const sealed = { family: modelOf('claude-sonnet-4-5').family, content: text, prefix: '', previous: previous ?? '' }
  return { type: 'anthropic.signature', signature: signer.seal(sealed) }
}

/** What Anthropic says when it is asked to think in the middle of a loop of tools that began without. */
const EXPECTS_THINKING = 'a final `assistant` message must start with a thinking block'

/** The wire formats as our adapters write them and the strict provider reads them. */
export const formats: FormatChecks = {
  ofModel(request) {
    switch (request.modelId) {
      case 'claude-sonnet-4-5':
        return anthropic(request).filter((words) => !words.includes(EXPECTS_THINKING))
      case 'kimi-k2-thinking':
        // A model that takes over in a loop of tools has none of its own reasoning to send back.
        return chat(request, modelOf('kimi-k2-thinking')).filter(
          (words) => !words.includes('reasoning_content is missing'),
        )
      default:
        return chat(request, modelOf(request.modelId))
    }
  },
  refusesThinking: (request) =>
    request.modelId === 'claude-sonnet-4-5' && anthropic(request).some((words) => words.includes(EXPECTS_THINKING)),
  async ofAll(request) {
    const plain = { ...request, thinkingBudgetTokens: null, parameters: {} }
    return [
      ...anthropic({ ...plain, modelId: 'claude-sonnet-4-5' }),
      ...chat({ ...plain, modelId: 'gpt-4.1' }, modelOf('gpt-4.1')),
      ...(await throughPackage(plain, RESPONSES)),
      ...(await throughPackage(plain, GEMINI)),
      ...(await throughPackage(plain, CONVERSE)),
    ]
  },
}

function anthropic(request: ModelRequest): readonly string[] {
  const body = encodeAnthropicRequest(request, { blobs: new Map(), defaultMaxOutputTokens: 4_096 })
  return told('anthropic', checkAnthropic(parsed(body), stateOf(modelOf('claude-sonnet-4-5'))))
}

function chat(request: ModelRequest, model: StrictModel): readonly string[] {
  const replay = model.chatDialect === 'moonshot' ? ('reasoning_content' as const) : null
  const body = encodeChatRequest(request, { blobs: new Map(), traits: { ...PLAIN_CHAT, reasoningReplay: replay } })
  return told('openai-chat', checkOpenaiChat(parsed(body), stateOf(model)))
}

interface PackageFormat {
  readonly name: string
  readonly vendor: Vendor
  readonly model: StrictModel
  readonly modelOf: (send: typeof fetch) => LanguageModelV3 | LanguageModelV4
  readonly check: (body: JsonRecord, state: CheckState) => readonly Refusal[]
}

const RESPONSES: PackageFormat = {
  name: 'openai-responses',
  vendor: 'openai',
  model: modelOf('gpt-5.2'),
  modelOf: (send) => createOpenAI({ apiKey: 'key', fetch: send }).responses('gpt-5.2'),
  check: checkOpenaiResponses,
}

/** Calls of another model carry no signature of this one; Google asks for it only from its own. */
const GEMINI: PackageFormat = {
  name: 'gemini',
  vendor: 'google',
  model: createModel({ id: 'gemini-2.5-pro', prefill: 'refused', callSignatures: 'optional' }),
  modelOf: (send) => createGoogleGenerativeAI({ apiKey: 'key', fetch: send })('gemini-2.5-pro'),
  // The package writes results and what is said after them as two contents of the user; merging them is its business.
  check: (body, state) => checkGemini(body, state).filter(({ message }) => !message.includes('requests alternate')),
}

const CONVERSE: PackageFormat = {
  name: 'bedrock-converse',
  vendor: 'bedrock',
  model: modelOf('anthropic.claude-sonnet-4-5-v1:0'),
  modelOf: (send) =>
    createAmazonBedrock({ apiKey: 'key', region: 'us-east-1', fetch: send })('anthropic.claude-sonnet-4-5-v1:0'),
  check: checkConverse,
}

const NO_BLOBS: BlobSource = { read: (hash) => Promise.reject(new Error(`There is no blob ${hash}`)) }

/** What a package of the AI SDK would send, held back at the last moment. */
async function throughPackage(request: ModelRequest, format: PackageFormat): Promise<readonly string[]> {
  const bodies: string[] = []
  const send: typeof fetch = async (_url, options) => {
    bodies.push(String(options?.body))
    return Response.json({ error: { message: 'Held back' } }, { status: 400 })
  }
  const port = createAiSdkModel({
    providerId: format.name,
    vendor: format.vendor,
    modelOf: () => format.modelOf(send),
    ids: { next: (prefix) => `${prefix}_1` },
    cacheMark: null,
    optionsOf: () => ({}),
  })
  let refusal: unknown = null
  try {
    const ports = { signal: new AbortController().signal, blobs: NO_BLOBS, onPart: () => undefined }
    await port.stream({ ...request, modelId: format.model.id }, ports)
  } catch (error) {
    refusal = error
  }
  const [body] = bodies
  if (body === undefined) return [`${format.name}: nothing was sent: ${String(refusal)}`]
  return told(format.name, format.check(parsed(body), stateOf(format.model)))
}

function told(name: string, violations: readonly Refusal[]): readonly string[] {
  return violations.map(({ rule, path, message }) => `${name} ${rule} at ${path}: ${message}`)
}

function stateOf(model: StrictModel): CheckState {
  return { model, tokenizer: byteTokenizer, signer, betas: [], counting: false }
}

function parsed(body: string): JsonRecord {
  return Body.parse(JSON.parse(body))
}

function modelOf(id: string): StrictModel {
  const model = STRICT_MODELS.find((known) => known.id === id)
  if (!model) throw new Error(`The strict provider has no model ${id}`)
  return model
}
