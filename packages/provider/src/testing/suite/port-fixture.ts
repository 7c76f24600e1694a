import { afterEach, beforeEach } from 'vitest'
import { type ModelPart, type ModelPort, type ModelRequest, ProviderError } from '../../model-port.ts'
import { type LoopbackRequest, type LoopbackServer, startLoopbackServer } from '../loopback-server.ts'
import type { WireBlock, WireScript, WireUsage } from '../wire-script.ts'

/** How the suite gets an adapter, and how the adapter's form is written. */
export interface ModelPortHarness {
  readonly wire: WireScript
  /**
   * Whether the adapter speaks HTTP and its format itself. One that stands on a package answers for what the package
   * makes of a strange answer only so far: it ends, in a class or as cut.
   */
  readonly speaksItself: boolean
  /** The adapter, sent to a server at this address. */
  open(baseUrl: string): ModelPort
}

/** What a test works with. */
export interface PortFixture {
  readonly server: () => LoopbackServer
  readonly model: () => ModelPort
}

/** Starts a server and an adapter for each test of a `describe`. */
export function usePort({ open }: ModelPortHarness): PortFixture {
  let server: LoopbackServer | null = null
  let model: ModelPort | null = null
  beforeEach(async () => {
    server = await startLoopbackServer()
    model = open(server.baseUrl)
  })
  afterEach(async () => {
    await server?.close()
  })
  return { server: () => present(server), model: () => present(model) }
}

/** What a stream came to, however it ended. */
export interface Outcome {
  readonly parts: readonly ModelPart[]
  /** Null when it ended by itself. */
  readonly error: ProviderError | null
}

/** Takes all that a request is answered. What is not a `ProviderError` is a defect and is thrown. */
export async function readAll(ask: (onPart: (part: ModelPart) => undefined) => Promise<void>): Promise<Outcome> {
  const parts: ModelPart[] = []
  try {
    await ask((part) => void parts.push(part))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { parts, error }
  }
  return { parts, error: null }
}

/** Answers with a stream of these events. */
export async function sendEvents(exchange: LoopbackRequest, events: readonly string[]): Promise<void> {
  exchange.head(200, { 'content-type': 'text/event-stream' })
  for (const event of events) await exchange.write(event)
}

/** The events of a whole answer. */
export function eventsOf(wire: WireScript, blocks: readonly WireBlock[]): readonly string[] {
  const finish = blocks.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'end'
  return [
    ...wire.start(USAGE),
    ...blocks.flatMap((block, index) => wire.block(block, index)),
    ...wire.end(finish, USAGE),
  ]
}

/** The figures of every answer of the suite. */
export const USAGE: WireUsage = { inputTokens: 120, cacheReadTokens: 30, outputTokens: 45 }

/** A request with nothing special in it. */
export const PLAIN_REQUEST: ModelRequest = {
  modelId: 'a-model',
  system: 'Be short.',
  tools: [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: {} } }],
  toolChoice: 'auto',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  maxOutputTokens: 1_000,
  thinkingBudgetTokens: null,
  parameters: {},
  cacheMarks: null,
}

/** A signal that never aborts. */
export function noAbort(): AbortSignal {
  return new AbortController().signal
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('The fixture is used outside a test')
  return value
}
