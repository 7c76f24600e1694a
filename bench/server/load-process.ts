/** A client in a process of its own: asks in many conversations at once and reads. Argument: an order as JSON. */
import { once } from 'node:events'
import { setTimeout as passed } from 'node:timers/promises'
import WebSocket from 'ws'
import * as z from 'zod'
import { epochMs } from '../engine/epoch-clock.ts'
import { quantile } from '../lib/measure.ts'
import { LoadOrder, type LoadSeen, stampsIn, wordsOf } from './load-order.ts'

const Created = z.object({ id: z.string() })
const order = LoadOrder.parse(JSON.parse(process.argv[2] ?? ''))
/** Conversations that one socket follows. */
const PER_SOCKET = 100
/** Asking is spread over this, so that no two providers' beats fall together. In milliseconds. */
const SPREAD_MS = 1_000

/** When things of one turn happened, by conversation. */
interface Turn {
  readonly delaysMs: number[]
  readonly sentAt: Map<string, number>
  readonly acceptedAt: Map<string, number>
  readonly firstStamp: Map<string, number>
  readonly firstAt: Map<string, number>
  readonly lastStamp: Map<string, number>
  readonly endedAt: Map<string, number>
  readonly isOver: PromiseWithResolvers<void>
}

/** Carries out one turn of every conversation. */
interface Client {
  /** Sends the message of a conversation; its end is told by `end`. */
  send(id: string, number: number): void
  close(): void
}

const conversationIds: string[] = []
let turn = newTurn()

function newTurn(): Turn {
  const [sentAt, acceptedAt, firstStamp] = [new Map(), new Map(), new Map()]
  const [firstAt, lastStamp, endedAt] = [new Map(), new Map(), new Map()]
  const isOver = Promise.withResolvers<void>()
  return { delaysMs: [], sentAt, acceptedAt, firstStamp, firstAt, lastStamp, endedAt, isOver }
}

function read(id: string, text: string): void {
  const now = epochMs()
  for (const stamp of stampsIn(text)) {
    turn.delaysMs.push(now - stamp)
    if (!turn.firstStamp.has(id)) turn.firstStamp.set(id, stamp)
    turn.lastStamp.set(id, stamp)
  }
  if (!turn.firstAt.has(id)) turn.firstAt.set(id, now)
}

function end(id: string): void {
  turn.endedAt.set(id, epochMs())
  if (turn.endedAt.size === order.conversations) turn.isOver.resolve()
}

async function opened(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${order.token}` }, perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => socket.on('open', () => resolve()).on('error', reject))
  return socket
}

async function relayClient(): Promise<Client> {
  const socket = await opened(order.url)
  for (let index = 0; index < order.conversations; index += 1) conversationIds.push(`c${index}`)
  socket.on('message', (data) => {
    const { id, text, done } = JSON.parse(String(data))
    if (done) end(id)
    else read(id, text)
  })
  return {
    send: (id) => socket.send(JSON.stringify({ id, text: wordsOf(order) })),
    close: () => socket.close(),
  }
}

function aiClient(): Client {
  for (let index = 0; index < order.conversations; index += 1) conversationIds.push(`c${index}`)
  const ask = async (id: string): Promise<void> => {
    const answer = await fetch(order.url, { method: 'POST', body: wordsOf(order) })
    for await (const piece of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()))
      read(id, piece)
    end(id)
  }
  return {
    send: (id) => void ask(id).catch((error) => turn.isOver.reject(error)),
    close: () => {},
  }
}

/** Makes the conversations and follows them. */
async function holdfastClient(): Promise<Client> {
  const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' }
  for (let index = 0; index < order.conversations; index += 1) {
    const body = JSON.stringify({
      commandId: `load_${epochMs()}_${index}`,
      title: 'Load',
      modelId: 'anthropic/claude-sonnet-4-5',
    })
    const answer = await fetch(`${order.url}/api/v1/conversations`, { method: 'POST', headers, body })
    conversationIds.push(Created.parse(await answer.json()).id)
  }
  const sockets = new Map<string, WebSocket>()
  for (let from = 0; from < conversationIds.length; from += PER_SOCKET) {
    const own = conversationIds.slice(from, from + PER_SOCKET)
    const socket = await following(own, `load_${from}`)
    for (const id of own) sockets.set(id, socket)
  }
  const content = [{ type: 'text', text: wordsOf(order) }]
  return {
    send(conversationId, number) {
      const commandId = `${conversationId}:${number}`
      const command = { type: 'command', name: 'send-message', commandId, conversationId, content }
      sockets.get(conversationId)?.send(JSON.stringify(command))
    },
    close() {
      for (const socket of new Set(sockets.values())) socket.close()
    },
  }
}

/** Opens a socket. @returns it, when it has caught up with all these conversations. */
async function following(ids: readonly string[], clientId: string): Promise<WebSocket> {
  const socket = await opened(`${order.url.replace('http', 'ws')}/api/v1/socket`)
  const caughtUp = Promise.withResolvers<void>()
  let left = ids.length
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data))
    if (frame.type === 'delta') read(frame.conversationId, frame.text)
    if (frame.type === 'accepted') turn.acceptedAt.set(frame.conversationId, epochMs())
    if (frame.type === 'refused') turn.isOver.reject(new Error(`The server refused: ${frame.problem.code}`))
    if (frame.type === 'caught-up' && --left === 0) caughtUp.resolve()
    if (frame.type !== 'entries') return
    for (const entry of frame.entries) {
      if (entry.type !== 'run-finished') continue
      if (entry.outcome !== 'completed') turn.isOver.reject(new Error(`A turn ended ${entry.outcome}: ${entry.reason}`))
      end(frame.conversationId)
    }
  })
  socket.send(JSON.stringify({ type: 'hello', protocol: 1, clientId }))
  for (const conversationId of ids) socket.send(JSON.stringify({ type: 'follow', conversationId, after: 0 }))
  await caughtUp.promise
  return socket
}

function clientOf(): Client | Promise<Client> {
  switch (order.kind) {
    case 'relay':
      return relayClient()
    case 'ai':
      return aiClient()
    case 'holdfast':
      return holdfastClient()
  }
}

async function carryOut(client: Client, number: number): Promise<LoadSeen> {
  const asked = conversationIds.map(async (id, index) => {
    await passed((index * SPREAD_MS) / order.conversations)
    turn.sentAt.set(id, epochMs())
    client.send(id, number)
  })
  await Promise.all([...asked, turn.isOver.promise])
  const { sentAt, delaysMs } = turn
  return {
    acceptedMs: between(sentAt, turn.acceptedAt),
    askedMs: between(sentAt, turn.firstStamp),
    firstMs: between(sentAt, turn.firstAt),
    endMs: between(turn.lastStamp, turn.endedAt),
    delayP50Ms: quantile(delaysMs, 0.5),
    delayP99Ms: quantile(delaysMs, 0.99),
    shown: delaysMs.length,
  }
}

function between(from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>): number[] {
  return [...to].flatMap(([id, at]) => {
    const begun = from.get(id)
    return begun === undefined ? [] : [at - begun]
  })
}

const client = await clientOf()
console.log(JSON.stringify({ conversations: conversationIds.length }))
for (let number = 1; number <= order.turns; number += 1) {
  await once(process, 'message')
  turn = newTurn()
  console.log(JSON.stringify(await carryOut(client, number)))
}
if (order.stays) await once(process, 'disconnect')
client.close()
