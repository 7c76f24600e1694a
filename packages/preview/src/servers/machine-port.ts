import { connect as connectTo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Target } from '../proxy/target.ts'

/** A plain connection to a port. @throws when nobody answers. */
export type Connect = (signal: AbortSignal) => Promise<Socket>

/** Connects to a port of this machine, at either of its own two addresses. */
export function connectHere(port: number): Connect {
  return async (signal) => {
    let failure: unknown = null
    for (const host of ['127.0.0.1', '::1']) {
      try {
        return await opened(connectTo({ host, port, signal, noDelay: true }))
      } catch (error) {
        failure = error
        if (signal.aborted) break
      }
    }
    throw failure
  }
}

/** A target at a port, with TLS where that is spoken: a certificate of a developer's own is as good as any here. */
export function targetAt({ port, isSecure, connect }: Omit<Target, 'connect'> & { readonly connect: Connect }): Target {
  if (!isSecure) return { port, isSecure, connect }
  return {
    port,
    isSecure,
    async connect(signal): Promise<Duplex> {
      const socket = await connect(signal)
      const secured = connectTls({
        socket,
        servername: 'localhost',
        rejectUnauthorized: false,
        ALPNProtocols: ['http/1.1'],
      })
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      secured.once('secureConnect', resolve)
      secured.once('error', reject)
      socket.once('close', () => reject(new Error(`The connection to port ${port} was closed`)))
      await promise
      secured.off('error', reject)
      return secured
    },
  }
}

async function opened(socket: Socket): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('connect', resolve)
  socket.once('error', reject)
  try {
    await promise
    return socket
  } finally {
    socket.off('connect', resolve)
    socket.off('error', reject)
  }
}
