import { randomBytes } from 'node:crypto'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { onTestFinished } from 'vitest'
import { createStoredPreviews, openPreviews, type Previews, type PreviewsDeps } from '../../src/index.ts'

export const PARENT = 'http://127.0.0.1:4747'
export const CREDENTIAL = 'Bearer hf_a-key-of-the-server'

/** Previews that listen, of one person who may use everything. They close with the test. */
export async function opened(
  changes: Partial<PreviewsDeps>,
): Promise<{ readonly previews: Previews; readonly port: number }> {
  const previews = await openPreviews({
    stored: createStoredPreviews({
      records: createMemoryStore({ clock: systemClock }).records,
      clock: systemClock,
      machine: 'test',
    }),
    clock: systemClock,
    machine: () => null,
    placeOf: async () => null,
    mayUse: ({ ownerId }, userId) => ownerId === userId,
    visitorOf: (visitor) => visitor,
    ownPorts: () => [],
    parentOrigins: () => [PARENT],
    isCredential: (sent) => sent.startsWith('Bearer hf_'),
    script: async () => '(function (given) { window.given = given })',
    secret: randomBytes(32),
    pattern: null,
    chromium: null,
    onFault(error) {
      throw error
    },
    ...changes,
  })
  onTestFinished(() => previews.close())
  return { previews, port: await previews.listen({ host: '127.0.0.1', port: 0 }) }
}

/** A preview of a server at a port, and the cookie of somebody who was let in. */
export async function entered(
  server: Server,
  changes: Partial<PreviewsDeps>,
): Promise<{
  readonly previews: Previews
  readonly port: number
  readonly origin: string
  readonly id: string
  readonly cookie: string
}> {
  const { previews, port } = await opened(changes)
  const { preview } = await previews.make({
    userId: 'ada',
    workspaceId: undefined,
    conversationId: undefined,
    source: { type: 'port', port: portOf(server) },
  })
  const { id, origin } = preview
  return { previews, port, origin, id, cookie: await cookieOf(previews, { id, port, origin }) }
}

/** Goes in by a ticket. */
export async function cookieOf(
  previews: Previews,
  { id, port, origin }: { readonly id: string; readonly port: number; readonly origin: string },
): Promise<string> {
  const url = new URL(previews.ticket({ previewId: id, visitor: 'ada', path: '/' }))
  const { headers } = await ask({ port, origin, path: url.pathname + url.search, headers: VISIT })
  return (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
}

/** What a browser says of itself when it goes to a page in a frame. */
export const VISIT = {
  'sec-fetch-dest': 'iframe',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'cross-site',
} as const

/** What a browser says of what a page asks for. */
export const OF_PAGE = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' } as const

export interface Asked {
  readonly port: number
  readonly origin: string
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
}

/** A request as a browser sends it, to a name that this machine need not know. */
export async function ask(asked: Asked): Promise<Answered> {
  const answer = await begun(asked)
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: bytes.toString('utf8'), bytes }
}

/** The head of an answer, whose body comes by and by. */
export function begun({ port, origin, path, method, headers, body }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: method ?? 'GET',
      headers: { host: new URL(origin).host, ...headers },
      agent: false,
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Listens at a free port and closes with the test. */
export async function listening<Listener extends Server>(server: Listener, host: string): Promise<Listener> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
          server.closeAllConnections()
      }),
  )
  return server
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
