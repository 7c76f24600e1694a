import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  byteTokenizer,
  type CheckState,
  checkAnthropic,
  checkBedrockClaude,
  checkConverse,
  checkGemini,
  checkOpenaiChat,
  checkOpenaiResponses,
  createModel,
  createSigner,
  type JsonRecord,
  type Refusal,
  type StrictModel,
} from '@holdfast/conformance'
import { type BlobSource, HTTP_LIMITS, type ModelPort, type ModelRequest } from '@holdfast/provider'
import { createAnthropicModel } from '@holdfast/provider/anthropic'
import { createBedrockModel } from '@holdfast/provider/bedrock'
import { createGoogleModel } from '@holdfast/provider/google'
import { type ChatTraits, createChatModel, PLAIN_CHAT } from '@holdfast/provider/openai-chat'
import { createResponsesModel } from '@holdfast/provider/openai-responses'
import type { BlobBodies } from './import-files.ts'

/** Sends a request through every adapter and checks the bodies that arrive by the vendors' rules. */
export interface WireChecks {
  /** How many wire formats there are. */
  readonly formatCount: number
  /** What a vendor would refuse, in words; empty when every vendor takes the request. */
  check(request: ModelRequest): Promise<string[]>
  close(): Promise<void>
}

type Check = (body: JsonRecord, state: CheckState) => readonly Refusal[]

interface WireFormat {
  readonly name: string
  readonly check: Check
  readonly model: StrictModel
  readonly open: (baseUrl: string) => ModelPort
}

/** Windows and lengths are not what is checked here. */
const LARGE = { contextWindow: 1_000_000_000, maxOutputTokens: 1_000_000 }
const KEY = 'key-of-the-corpus'

/** Starts a server on loopback that answers every request with a refusal, after it has looked at it. */
export async function createWireChecks(bodies: BlobBodies): Promise<WireChecks> {
  const signer = createSigner('corpus')
  const formats = wireFormats()
  const blobs: BlobSource = {
    read: (hash: string): Promise<Uint8Array> => {
      const body = bodies.get(hash)
      return body ? Promise.resolve(body) : Promise.reject(new Error(`There is no blob ${hash}`))
    },
  }
  const found = new Map<string, readonly Refusal[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const name = decodeURIComponent(request.url?.split('/')[1] ?? '')
      const format = formats.find((one) => one.name === name)
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
      if (format && isRecord(body)) {
        const state = { model: format.model, tokenizer: byteTokenizer, signer, betas: [], counting: false }
        found.set(name, format.check(body, state))
      }
      // A connection that is kept may be closed by one side just when the other uses it again.
      response
        .writeHead(400, { 'content-type': 'application/json', connection: 'close' })
        .end('{"error":{"message":"looked at"}}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const ports = formats.map(({ name, open }) => ({
    name,
    port: open(`http://127.0.0.1:${address.port}/${encodeURIComponent(name)}/v1`),
  }))
  return {
    formatCount: formats.length,
    async check(request) {
      const refused: string[] = []
      for (const { name, port } of ports) {
        found.delete(name)
        const failure = await sent(port, request, blobs)
        const violations = found.get(name)
        if (!violations) refused.push(`${name}: the adapter did not send it: ${failure}`)
        for (const { rule, path, message } of violations ?? []) refused.push(`${name} ${rule} at ${path}: ${message}`)
      }
      return refused
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Every request is refused; why is told only where it never arrived. */
async function sent(port: ModelPort, request: ModelRequest, blobs: BlobSource): Promise<string> {
  try {
    await port.stream(request, { signal: new AbortController().signal, blobs, onPart: () => undefined })
    return 'it was answered'
  } catch (error) {
    return String(error)
  }
}

function wireFormats(): WireFormat[] {
  let count = 0
  const ids = { next: (prefix: string): string => `${prefix}_${++count}` }
  const common = { apiKey: KEY, headers: {}, ids }
  const chat =
    (traits: Partial<ChatTraits>) =>
    (baseUrl: string): ModelPort =>
      createChatModel({
        ...common,
        providerId: 'chat',
        vendor: 'openai-compatible',
        baseUrl,
        limits: HTTP_LIMITS,
        traitsOf: () => ({ ...PLAIN_CHAT, ...traits }),
      })
  const bedrock =
    (route: 'messages' | 'converse') =>
    (baseUrl: string): ModelPort =>
      createBedrockModel({
        providerId: 'bedrock',
        region: 'us-east-1',
        baseUrl,
        route,
        ids,
        credentials: { type: 'api-key', apiKey: KEY },
      })
  const bound = { ...LARGE, thinking: 'bound', prefill: 'refused' } as const
  return [
    {
      name: 'anthropic',
      check: checkAnthropic,
      model: createModel({ id: 'claude', ...bound }),
      open: (baseUrl) =>
        createAnthropicModel({
          ...common,
          providerId: 'anthropic',
          baseUrl,
          limits: HTTP_LIMITS,
          defaultMaxOutputTokens: () => 4_096,
        }),
    },
    {
      name: 'openai-chat',
      check: checkOpenaiChat,
      model: createModel({ id: 'gpt', ...LARGE }),
      open: chat({}),
    },
    {
      name: 'openai-chat moonshot',
      check: checkOpenaiChat,
      model: createModel({ id: 'kimi', ...LARGE, chatDialect: 'moonshot' }),
      open: chat({ reasoningReplay: 'reasoning_content' }),
    },
    {
      name: 'openai-chat template',
      check: checkOpenaiChat,
      model: createModel({ id: 'mistral', ...LARGE, thinking: 'none', chatDialect: 'template' }),
      open: chat({ shortCallIds: true, answersBeforeUser: true }),
    },
    {
      name: 'openai-responses',
      check: checkOpenaiResponses,
      model: createModel({ id: 'gpt', ...LARGE }),
      open: (baseUrl) => createResponsesModel({ ...common, providerId: 'openai', baseUrl }),
    },
    {
      name: 'gemini',
      check: checkGemini,
      model: createModel({ id: 'gemini', ...LARGE, callSignatures: 'required', prefill: 'refused' }),
      open: (baseUrl) => createGoogleModel({ ...common, providerId: 'google', baseUrl }),
    },
    {
      name: 'bedrock-converse',
      check: checkConverse,
      model: createModel({ id: 'claude', ...LARGE }),
      open: bedrock('converse'),
    },
    {
      name: 'bedrock-claude',
      check: checkBedrockClaude,
      model: createModel({ id: 'claude', ...bound, systemMessages: 'refused' }),
      open: bedrock('messages'),
    },
  ]
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
