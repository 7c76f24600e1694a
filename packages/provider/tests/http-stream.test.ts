import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openEventStream } from '../src/http/http-stream.ts'
import { HTTP_LIMITS } from '../src/wire/http-limits.ts'

/** A server that begins a stream of events with one and leaves its end to the test. */
async function openServer() {
  const ports: (number | undefined)[] = []
  const sockets: Socket[] = []
  const open: ServerResponse[] = []
  const server = createServer((request, response) => {
    ports.push(request.socket.remotePort)
    sockets.push(request.socket)
    open.push(response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: all of it\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = async ({ signal }: AbortController, onEvent: () => void): Promise<void> => {
    const source = await openEventStream({
      method: 'GET',
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      body: null,
      signal,
      limits: HTTP_LIMITS,
      vendor: 'openai',
    })
    await source.read(() => {
      onEvent()
      source.stop()
      return undefined
    })
  }
  return { ask, ports, sockets, end: () => open.shift()?.end() }
}

it('[RUN31] keeps the connection of an answer whose end comes after its last event, and does not wait for it', async () => {
  const server = await openServer()
  await vi.waitFor(async () => {
    await server.ask(new AbortController(), () => {})
    server.end()
    expect(new Set(server.ports).size).toBeLessThan(server.ports.length)
  })
})

it('[RUN31] closes the connection of an answer whose end does not come', async () => {
  const server = await openServer()
  await server.ask(new AbortController(), () => {})
  const [socket] = server.sockets
  expect(socket?.destroyed).toBe(false)
  await new Promise((resolve) => socket?.once('close', resolve))
})

it('[RUN31, STOP3] closes it at once where the answer was stopped', async () => {
  const server = await openServer()
  const stopping = new AbortController()
  await server.ask(stopping, () => stopping.abort())
  server.end()
  await server.ask(new AbortController(), () => {})
  expect(new Set(server.ports).size).toBe(server.ports.length)
})
