import type { Readable, Writable } from 'node:stream'
import * as z from 'zod'
import type { ServerSettings } from './languages.ts'
import { createMessageReader, framed } from './message-reader.ts'
import { ServerError } from './server-error.ts'

/** A way to speak with a language server. */
export interface Connection {
  /** @throws {ServerError} when it refuses, or ends before it answers. */
  ask(method: string, params: unknown): Promise<unknown>
  tell(method: string, params: unknown): void
  /** Resolves when it has said, after its start, that it answers a method. @throws {ServerError} when it ends before that. */
  offered(method: string): Promise<void>
  /** Nothing that is still asked is answered any more. */
  close(why: string): void
}

/** The pipes of a program. */
export interface ServerPipes {
  readonly stdin: Writable | null
  readonly stdout: Readable
}

const Message = z.object({
  id: z.union([z.number(), z.string()]).nullable().exactOptional(),
  method: z.string().exactOptional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).exactOptional(),
})
const Wanted = z.object({ items: z.array(z.object({ section: z.string().nullish() })).max(1_000) })
const Registering = z.object({ registrations: z.array(z.object({ method: z.string() })).max(1_000) })
const METHOD_NOT_FOUND = -32_601

/** Speaks with a language server by its pipes. `onBroken` hears of what is no message. */
export function createConnection(
  { stdin, stdout }: ServerPipes,
  settings: ServerSettings,
  onBroken: (why: string) => void,
): Connection {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  const offers = new Map<string, PromiseWithResolvers<void>>()
  let closed: string | null = null

  function offerOf(method: string): PromiseWithResolvers<void> {
    const known = offers.get(method)
    if (known) return known
    const offer = Promise.withResolvers<void>()
    // Most are waited for by nobody.
    offer.promise.catch(() => {})
    offers.set(method, offer)
    return offer
  }

  function send(message: object): void {
    if (stdin?.writable === true) stdin.write(framed({ jsonrpc: '2.0', ...message }))
  }

  function take(message: unknown): void {
    const read = Message.safeParse(message)
    if (!read.success) return
    const { id, method, params, result, error } = read.data
    if (method !== undefined) {
      if (method === 'client/registerCapability')
        for (const registered of Registering.safeParse(params).data?.registrations ?? [])
          offerOf(registered.method).resolve()
      if (id !== undefined && id !== null) send({ id, ...answerTo({ method, params }, settings) })
      return
    }
    if (typeof id !== 'number') return
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new ServerError(error))
    else asked?.resolve(result)
  }

  stdout.on('data', createMessageReader({ take, onBroken }))
  // A pipe that breaks ends like one that is closed: whoever watches the program hears of it.
  for (const pipe of [stdin, stdout]) pipe?.on('error', () => {})

  return {
    ask(method, params) {
      if (closed !== null) return Promise.reject(new ServerError({ code: 'ended', message: closed }))
      lastId += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(lastId, answer)
      send({ id: lastId, method, params })
      return answer.promise
    },
    tell: (method, params) => send({ method, params }),
    offered(method) {
      if (closed !== null) return Promise.reject(new ServerError({ code: 'ended', message: closed }))
      return offerOf(method).promise
    },
    close(why) {
      closed ??= why
      for (const { reject } of [...waiting.values(), ...offers.values()])
        reject(new ServerError({ code: 'ended', message: why }))
      waiting.clear()
      offers.clear()
    },
  }
}

/** What servers ask of their editors: settings, of which there are few, and to be told of files, which they are. */
function answerTo({ method, params }: { readonly method: string; readonly params: unknown }, settings: ServerSettings) {
  switch (method) {
    case 'workspace/configuration': {
      const wanted = Wanted.safeParse(params)
      return { result: wanted.success ? wanted.data.items.map(({ section }) => settings[section ?? ''] ?? null) : [] }
    }
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/workDoneProgress/create':
    case 'workspace/diagnostic/refresh':
      return { result: null }
    default:
      return { error: { code: METHOD_NOT_FOUND, message: `${method} is not offered` } }
  }
}
