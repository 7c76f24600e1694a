/** The AI SDK as its guide has it: `streamText`, its UI stream as the answer, one save at the end. Argument: the provider. */
import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createAnthropic } from '@ai-sdk/anthropic'
import { pipeUIMessageStreamToResponse, streamText, toUIMessageStream } from 'ai'
import Database from 'better-sqlite3'

const [provider = ''] = process.argv.slice(2)
const database = new Database(join(mkdtempSync(join(tmpdir(), 'holdfast-bench-ai-')), 'ai.sqlite'))
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE chat (messages TEXT NOT NULL)')
const insert = database.prepare('INSERT INTO chat (messages) VALUES (?)')
const model = createAnthropic({ baseURL: provider, apiKey: 'key-for-benches' })('stamped')

const server = createServer((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const prompt = await text(request)
  const result = streamText({ model, prompt, maxOutputTokens: 4_096, maxRetries: 0 })
  const stream = toUIMessageStream({
    stream: result.stream,
    onEnd: ({ messages }) => {
      insert.run(JSON.stringify(messages))
    },
  })
  await pipeUIMessageStreamToResponse({ response, stream })
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
process.on('disconnect', () => process.exit())
