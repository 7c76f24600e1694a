import { randomUUID } from 'node:crypto'
import { setTimeout as passed } from 'node:timers/promises'
import WebSocket from 'ws'
import * as z from 'zod'
import { stampsIn, wordsOf } from '../server/load-order.ts'
import type { ReplicaSet } from './replica-set.ts'

/** A conversation in the middle of an answer, and what its reader has seen. */
export interface Talk {
  readonly id: string
  /** Where the message was acknowledged. */
  readonly seq: number
  /** The newest stamp that was shown; 0 before the first. */
  readonly shown: () => number
  /** The entries that ended runs, as they were read; one that was read twice counts once. */
  readonly ends: () => readonly number[]
  close(): void
}

const LIMIT_MS = 60_000
const Created = z.object({ id: z.string() })
const Accepted = z.object({ seq: z.int() })
const Frame = z.looseObject({
  type: z.string(),
  entries: z.array(z.looseObject({ type: z.string(), seq: z.int() })).optional(),
})

/** Begins an answer through the balancer, and reads it there over a socket that is opened again when it ends. */
export async function beginTalk(set: ReplicaSet, size: Parameters<typeof wordsOf>[0]): Promise<Talk> {
  const { id } = Created.parse(await untilDone(set, '/conversations', { commandId: randomUUID() }))
  const reader = readAt(set, id)
  const content = [{ type: 'text', text: wordsOf(size) }]
  const sent = await untilDone(set, `/conversations/${id}/inputs`, { commandId: randomUUID(), content })
  return { id, seq: Accepted.parse(sent).seq, ...reader }
}

/** Sends a command until it is answered: a server may be gone, and a command is carried out once. */
async function untilDone({ url, token }: ReplicaSet, path: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const limit = performance.now() + LIMIT_MS
  for (;;) {
    try {
      const signal = AbortSignal.timeout(5_000)
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal,
      })
      if (answer.ok) return await answer.json()
      if (answer.status < 500) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
    } catch (error) {
      if (performance.now() > limit || (error instanceof Error && error.message.startsWith(path))) throw error
    }
    await passed(50)
  }
}

function readAt({ url, token }: ReplicaSet, id: string): Pick<Talk, 'shown' | 'ends' | 'close'> {
  const ends = new Set<number>()
  let shown = 0
  let isOver = false
  let socket: WebSocket

  function open(): void {
    socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/socket`, {
      headers: { authorization: `Bearer ${token}` },
    })
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'hello', protocol: 1, clientId: randomUUID() }))
      socket.send(JSON.stringify({ type: 'follow', conversationId: id, after: 0 }))
    })
    socket.on('message', (text) => read(String(text)))
    socket.on('error', () => {})
    socket.on('close', () => void (isOver ? undefined : setTimeout(open, 100)))
  }

  function read(text: string): void {
    const { type, entries = [] } = Frame.parse(JSON.parse(text))
    if (type === 'delta' || type === 'draft') shown = Math.max(shown, ...stampsIn(text))
    for (const entry of entries) if (entry.type === 'run-finished') ends.add(entry.seq)
  }

  open()
  return {
    shown: () => shown,
    ends: () => [...ends],
    close() {
      isOver = true
      socket.terminate()
    },
  }
}
