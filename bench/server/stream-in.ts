import WebSocket from 'ws'
import * as z from 'zod'
import { epochMs } from '../engine/epoch-clock.ts'
import { type LoadOrder, stampsIn, wordsOf } from './load-order.ts'
import type { ServerProcess } from './server-processes.ts'

const Created = z.object({ id: z.string() })

/** Conversations that one socket follows. The server bounds them. */
export const PER_SOCKET = 100
/** As many conversations are made at a time. */
const MADE_AT_ONCE = 20

/**
 * Begins one answer in each of so many new conversations and waits until all of them show words.
 *
 * @returns the newest stamp that was shown of each, kept up to date until `end` is called.
 */
export async function streamIn(
  server: ServerProcess,
  order: Pick<LoadOrder, 'conversations' | 'deltas' | 'deltasPerSecond'>,
): Promise<{ readonly shown: ReadonlyMap<string, number>; end(): void }> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const shown = new Map<string, number>()
  const all = Promise.withResolvers<void>()
  const read = (frame: z.infer<typeof Frame>): void => {
    if (frame.type === 'refused') all.reject(new Error(`The server refused: ${frame.problem.code}`))
    if (frame.type !== 'delta') return
    const newest = stampsIn(frame.text).at(-1)
    if (newest !== undefined) shown.set(frame.conversationId, newest)
    if (shown.size === order.conversations) all.resolve()
  }
  const content = [{ type: 'text', text: wordsOf(order) }]
  const begin = async (socket: WebSocket, index: number): Promise<void> => {
    const body = JSON.stringify({ commandId: `stream_${epochMs()}_${index}`, modelId: 'anthropic/claude-sonnet-4-5' })
    const answer = await fetch(`${server.url}/api/v1/conversations`, { method: 'POST', headers, body })
    const { id } = Created.parse(await answer.json())
    socket.send(JSON.stringify({ type: 'follow', conversationId: id, after: 0 }))
    const send = { type: 'command', name: 'send-message', commandId: `${id}:1`, conversationId: id, content }
    socket.send(JSON.stringify(send))
  }
  const sockets: WebSocket[] = []
  for (let from = 0; from < order.conversations; from += PER_SOCKET) {
    const socket = await openSocket(server, read)
    sockets.push(socket)
    const count = Math.min(PER_SOCKET, order.conversations - from)
    for (let index = 0; index < count; index += MADE_AT_ONCE) {
      const made = Array.from({ length: Math.min(MADE_AT_ONCE, count - index) }, (_, own) => from + index + own)
      await Promise.all(made.map((number) => begin(socket, number)))
    }
  }
  await all.promise
  return { shown, end: () => sockets.forEach((socket) => socket.terminate()) }
}

/** The frames of the socket that the benches look at. */
const Frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('delta'), conversationId: z.string(), text: z.string() }),
  z.object({
    type: z.literal('entries'),
    conversationId: z.string(),
    entries: z.array(z.looseObject({ type: z.string() })),
  }),
  z.object({ type: z.literal('caught-up'), conversationId: z.string() }),
  z.object({ type: z.literal('refused'), problem: z.looseObject({ code: z.string() }) }),
])

/** Opens a socket and says hello. */
export async function openSocket(
  { url, token }: ServerProcess,
  onFrame: (frame: z.infer<typeof Frame>) => void,
): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${token}` }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/socket`, { headers, perMessageDeflate: false })
  socket.on('message', (data) => {
    const frame = Frame.safeParse(JSON.parse(String(data)))
    if (frame.success) onFrame(frame.data)
  })
  await new Promise<void>((resolve, reject) => socket.on('open', () => resolve()).on('error', reject))
  socket.send(JSON.stringify({ type: 'hello', protocol: 1, clientId: `bench_${epochMs()}` }))
  return socket
}
