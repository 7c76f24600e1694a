/** A provider of the Anthropic format that writes into each delta when it was written. Prints its address. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { epochMs } from '../engine/epoch-clock.ts'

const USAGE = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }

function send(response: ServerResponse, event: Readonly<Record<string, unknown>> & { readonly type: string }): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

const MODELS = [{ type: 'model', id: 'claude-sonnet-4-5', display_name: 'Stamped', created_at: '2026-01-01T00:00:00Z' }]

const server = createServer((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: MODELS, has_more: false, first_id: MODELS[0]?.id, last_id: MODELS[0]?.id }))
    return
  }
  const asked = /Write (\d+) deltas at ([\d.]+) a second/.exec(await text(request))
  const deltas = Number(asked?.[1] ?? 1)
  const rate = Number(asked?.[2] ?? 50)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'stamped', content: [], usage: USAGE }
  send(response, { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } })
  send(response, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
  let written = 0
  const start = performance.now()
  const next = (): void => {
    if (response.destroyed) return
    const due = Math.min(deltas, 1 + Math.floor(((performance.now() - start) * rate) / 1_000))
    for (; written < due; written += 1) {
      const delta = { type: 'text_delta', text: `<${epochMs().toFixed(3)}> words ` }
      send(response, { type: 'content_block_delta', index: 0, delta })
    }
    if (written < deltas) {
      setTimeout(next, Math.max(1, (written * 1_000) / rate - (performance.now() - start)))
      return
    }
    send(response, { type: 'content_block_stop', index: 0 })
    const usage = { ...USAGE, output_tokens: deltas }
    send(response, { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage })
    send(response, { type: 'message_stop' })
    response.end()
  }
  next()
}

// On a busy machine a client may not be heard for a while, and takes up the line that it has.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/v1` }))
})
process.on('disconnect', () => process.exit())
