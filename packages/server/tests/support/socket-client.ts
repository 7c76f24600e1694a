import { type ClientFrame, PROTOCOL_VERSION, type ServerFrame, type ServerFrameOf } from '@holdfast/protocol'
import WebSocket from 'ws'
import { type Served, TOKEN } from './serve.ts'

/** A bare socket that keeps all it receives. */
export interface SocketClient {
  readonly frames: ServerFrame[]
  readonly socket: WebSocket
  send(frame: ClientFrame | string | Uint8Array): void
  /** The first frame, from now or earlier, that fits; each frame is given once. */
  next<Type extends ServerFrame['type']>(
    type: Type,
    fits?: (frame: ServerFrameOf<Type>) => boolean,
  ): Promise<ServerFrameOf<Type>>
  /** Resolves with the close code. */
  readonly closed: Promise<number>
}

export async function connect(served: Served, headers?: Record<string, string>): Promise<SocketClient> {
  const socket = new WebSocket(`${served.url.replace('http', 'ws')}/api/v1/socket`, {
    headers: headers ?? { authorization: `Bearer ${TOKEN}` },
  })
  const frames: ServerFrame[] = []
  const unread: ServerFrame[] = []
  let notify = () => {}
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as ServerFrame
    frames.push(frame)
    unread.push(frame)
    notify()
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })

  async function next<Type extends ServerFrame['type']>(type: Type, fits?: (frame: ServerFrameOf<Type>) => boolean) {
    for (;;) {
      const index = unread.findIndex((frame) => frame.type === type && (fits?.(frame as ServerFrameOf<Type>) ?? true))
      if (index >= 0) return unread.splice(index, 1)[0] as ServerFrameOf<Type>
      await new Promise<void>((resolve) => {
        notify = resolve
      })
    }
  }

  return {
    frames,
    socket,
    closed,
    next,
    send: (frame) =>
      socket.send(typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame)),
  }
}

/** A socket that has said hello. */
export async function greet(served: Served): Promise<SocketClient> {
  const client = await connect(served)
  client.send({ type: 'hello', protocol: PROTOCOL_VERSION, clientId: 'tab_1' })
  await client.next('welcome')
  return client
}
