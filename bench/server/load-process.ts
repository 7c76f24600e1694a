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

const delaysMs: number[] = []
const sentAt = new Map<string, number>()
const firstMs = new Map<string, number>()

function read(id: string, text: string): void {
  const now = epochMs()
  for (const stamp of stampsIn(text)) delaysMs.push(now - stamp)
  if (!firstMs.has(id)) firstMs.set(id, now - (sentAt.get(id) ?? now))
}

async function opened(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${order.token}` }, perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => socket.on('open', () => resolve()).on('error', reject))
  return socket
}

async function ask(index: number, send: () => void, id: string): Promise<void> {
  await passed((index * SPREAD_MS) / order.conversations)
  sentAt.set(id, epochMs())
  send()
}

async function loadRelay(): Promise<void> {
  const socket = await opened(order.url)
  const left = Promise.withResolvers<void>()
  let open = order.conversations
  socket.on('message', (data) => {
    const { id, text, done } = JSON.parse(String(data))
    if (!done) read(id, text)
    else if (--open === 0) left.resolve()
  })
  const asked = Array.from({ length: order.conversations }, (_, index) =>
    ask(index, () => socket.send(JSON.stringify({ id: `c${index}`, text: wordsOf(order) })), `c${index}`),
  )
  await Promise.all([...asked, left.promise])
  socket.close()
}

async function loadAi(): Promise<void> {
  await Promise.all(
    Array.from({ length: order.conversations }, async (_, index) => {
      const id = `c${index}`
      await ask(index, () => {}, id)
      const answer = await fetch(order.url, { method: 'POST', body: wordsOf(order) })
      for await (const piece of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()))
        read(id, piece)
    }),
  )
}

/** @returns the sockets, which still follow. */
async function loadHoldfast(): Promise<readonly WebSocket[]> {
  const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' }
  const ids: string[] = []
  for (let index = 0; index < order.conversations; index += 1) {
    const body = JSON.stringify({
      commandId: `load_${epochMs()}_${index}`,
      title: 'Load',
      modelId: 'anthropic/claude-sonnet-4-5',
    })
    const answer = await fetch(`${order.url}/api/v1/conversations`, { method: 'POST', headers, body })
    ids.push(Created.parse(await answer.json()).id)
  }
  const ended = new Set<string>()
  const left = Promise.withResolvers<void>()
  const sockets: WebSocket[] = []
  for (let from = 0; from < ids.length; from += PER_SOCKET) {
    const socket = await opened(`${order.url.replace('http', 'ws')}/api/v1/socket`)
    sockets.push(socket)
    const caughtUp = Promise.withResolvers<void>()
    let following = Math.min(PER_SOCKET, ids.length - from)
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if (frame.type === 'delta') read(frame.conversationId, frame.text)
      if (frame.type === 'caught-up' && --following === 0) caughtUp.resolve()
      if (frame.type !== 'entries') return
      for (const entry of frame.entries) {
        if (entry.type !== 'run-finished') continue
        if (entry.outcome !== 'completed') left.reject(new Error(`A turn ended ${entry.outcome}: ${entry.reason}`))
        ended.add(frame.conversationId)
      }
      if (ended.size === ids.length) left.resolve()
    })
    socket.send(JSON.stringify({ type: 'hello', protocol: 1, clientId: `load_${from}` }))
    for (const conversationId of ids.slice(from, from + PER_SOCKET))
      socket.send(JSON.stringify({ type: 'follow', conversationId, after: 0 }))
    await caughtUp.promise
  }
  const content = [{ type: 'text', text: wordsOf(order) }]
  const asked = ids.map((conversationId, index) => {
    const socket = sockets[Math.floor(index / PER_SOCKET)]
    const command = { type: 'command', name: 'send-message', commandId: `${conversationId}:1`, conversationId, content }
    return ask(index, () => socket?.send(JSON.stringify(command)), conversationId)
  })
  await Promise.all([...asked, left.promise])
  return sockets
}

let open: readonly WebSocket[] = []
switch (order.kind) {
  case 'relay':
    await loadRelay()
    break
  case 'ai':
    await loadAi()
    break
  case 'holdfast':
    open = await loadHoldfast()
    break
}
const seen: LoadSeen = {
  firstMs: [...firstMs.values()],
  delayP50Ms: quantile(delaysMs, 0.5),
  delayP99Ms: quantile(delaysMs, 0.99),
  shown: delaysMs.length,
}
console.log(JSON.stringify(seen))
if (order.stays) await once(process, 'disconnect')
for (const socket of open) socket.close()
