import { type ClientRequest, request as httpRequest } from 'node:http'
import type { FormatName, StrictProvider } from '@holdfast/conformance'
import { MODEL_OF } from './clients.ts'

/** What came back, byte for byte. */
export interface RawAnswer {
  readonly status: number | undefined
  readonly headers: NodeJS.Dict<string | string[]>
  readonly bytes: Buffer
  /** `end`: the body ended as HTTP says; `broken`: the connection ended before it; `silent`: neither, in the time given. */
  readonly ending: 'end' | 'broken' | 'silent'
}

const READ = { name: 'read', description: 'Reads a file.' }
const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } }

/** A small request that the vendor accepts. */
export function smallRequest(format: FormatName, text: string): { readonly path: string; readonly body: object } {
  const model = MODEL_OF[format]
  switch (format) {
    case 'anthropic': {
      const tools = [{ ...READ, input_schema: SCHEMA }]
      const messages = [{ role: 'user', content: text }]
      return { path: '/v1/messages', body: { model, max_tokens: 1_000, stream: true, tools, messages } }
    }
    case 'openai-chat': {
      const tools = [{ type: 'function', function: { ...READ, parameters: SCHEMA } }]
      const messages = [{ role: 'user', content: text }]
      const stream_options = { include_usage: true }
      return { path: '/v1/chat/completions', body: { model, stream: true, stream_options, tools, messages } }
    }
    case 'openai-responses': {
      const tools = [{ type: 'function', ...READ, parameters: SCHEMA }]
      return { path: '/v1/responses', body: { model, stream: true, store: false, tools, input: text } }
    }
    case 'gemini': {
      const tools = [{ functionDeclarations: [{ ...READ, parameters: SCHEMA }] }]
      const contents = [{ role: 'user', parts: [{ text }] }]
      return { path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`, body: { tools, contents } }
    }
    case 'bedrock-converse': {
      const toolConfig = { tools: [{ toolSpec: { ...READ, inputSchema: { json: SCHEMA } } }] }
      const messages = [{ role: 'user', content: [{ text }] }]
      return { path: `/model/${encodeURIComponent(model)}/converse-stream`, body: { toolConfig, messages } }
    }
    case 'bedrock-claude': {
      const tools = [{ ...READ, input_schema: SCHEMA }]
      const messages = [{ role: 'user', content: text }]
      const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 1_000, tools, messages }
      return { path: `/model/${encodeURIComponent(model)}/invoke-with-response-stream`, body }
    }
  }
}

const LONGEST_PING_BYTES = 250

/** Patience is spent in so many looks: where the process was held up, what came meanwhile is heard before the next one. */
const LOOKS = 15

/** Posts a body and collects what comes, for `patienceMs` after the last byte. */
export function post(
  provider: StrictProvider,
  { path, body }: { readonly path: string; readonly body: object },
  patienceMs: number,
): Promise<RawAnswer> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer>()
  const chunks: Buffer[] = []
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer key-for-tests',
    'x-api-key': 'key-for-tests',
    'x-goog-api-key': 'key-for-tests',
    'anthropic-version': '2023-06-01',
  }
  const request: ClientRequest = httpRequest(provider.url + path, { method: 'POST', headers, agent: false })
  let status: number | undefined
  let got: NodeJS.Dict<string | string[]> = {}
  let patience: NodeJS.Timeout | undefined
  const finish = (ending: RawAnswer['ending']) => {
    clearTimeout(patience)
    request.destroy()
    resolve({ status, headers: got, bytes: Buffer.concat(chunks), ending })
  }
  const waitMore = () => {
    clearTimeout(patience)
    let left = LOOKS
    const look = () => {
      left -= 1
      if (left < 0) finish('silent')
      else patience = setTimeout(look, patienceMs / LOOKS)
    }
    look()
  }
  waitMore()
  request.on('error', () => finish('broken'))
  request.on('response', (response) => {
    status = response.statusCode
    got = response.headers
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // A ping is no sign of life.
      if (chunk.length > LONGEST_PING_BYTES) waitMore()
    })
    response.on('end', () => finish(response.complete ? 'end' : 'broken'))
    response.on('error', () => finish('broken'))
  })
  request.end(JSON.stringify(body))
  return promise
}

/** The text of an answer, with Claude's chunks on Bedrock opened. */
export function textOf(format: FormatName, bytes: Buffer): string {
  const text = bytes.toString('latin1')
  if (format !== 'bedrock-claude') return text
  const chunks = [...text.matchAll(/\{"bytes":"([^"]*)"\}/g)].map(([, data]) =>
    Buffer.from(data ?? '', 'base64').toString('latin1'),
  )
  return chunks.join('\n')
}

/** Whether the format's own end is in the text. */
export function hasOwnEnd(format: FormatName, text: string): boolean {
  switch (format) {
    case 'anthropic':
    case 'bedrock-claude':
      return text.includes('"type":"message_stop"')
    case 'openai-chat':
      return text.includes('data: [DONE]')
    case 'openai-responses':
      return /"type":"response\.(?:completed|incomplete)"/.test(text)
    case 'gemini':
      return /"finishReason".*\r\n\r\n/.test(text)
    case 'bedrock-converse':
      return text.includes('messageStop')
  }
}
