import { setTimeout as wait } from 'node:timers/promises'
import type { AnswerContent, Json, QuestionWish } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { createMcpServer, type McpServer } from '@holdfast/mcp'
import type { KeptSignIn, PinnedServer } from '@holdfast/mcp/settings'
import { DEFAULT_LIMITS, runCall, toolsOf } from '@holdfast/tool'
import * as z from 'zod'

const LIMIT_MS = 60_000
const LOOK_MS = 20
/** A person gives up after so many sign-ins. */
const MOST_SIGN_INS = 3

const Schema = z.object({
  properties: z
    .record(z.string(), z.looseObject({ type: z.unknown().optional(), default: z.json().optional() }))
    .default({}),
  required: z.array(z.string()).default([]),
})

const Context = z.looseObject({
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).default([]),
})

/** What the referee says to a client. */
interface Scenario {
  /** The address of its server. */
  readonly url: string
  /** JSON with what it wants beside that. */
  readonly context: string
}

/**
 * Our client as the official conformance scenarios want it: it connects, signs in where the server wants that, calls each
 * tool once, and ends.
 *
 * @returns what became of each call, in words.
 * @throws where it cannot do that.
 */
export async function playClient({ url, context }: Scenario): Promise<string> {
  const pins = new Map<string, PinnedServer>()
  const signIns = new Map<string, KeptSignIn>()
  const server = createMcpServer(
    { name: 'probe', reach: { type: 'http', url, headers: {} }, timeoutMs: 10_000, silenceMs: 10_000, on: true },
    {
      clock: systemClock,
      environment: process.env,
      fetch,
      isPublicHost: async () => true,
      version: '0.0.0',
      register: null,
      onChange() {},
      pins: {
        read: async (name) => pins.get(name) ?? null,
        async write(name, pinned) {
          pins.set(name, pinned)
        },
      },
      signIns: {
        read: async (name) => signIns.get(name) ?? null,
        async write(name, state) {
          signIns.set(name, state)
        },
      },
      redirectUrl: () => 'http://127.0.0.1:9/api/v1/mcp-sign-in',
    },
  )
  const words: string[] = []
  try {
    await untilConnected(server)
    for (const { name, input } of wantedCalls(server, context)) {
      words.push(await call(server, name, input))
      // A server may want more rights for a call than for the rest.
      await untilConnected(server)
    }
  } finally {
    await server.close()
  }
  return words.join('\n')
}

/** The calls that a scenario asks for, or one of each tool. */
function wantedCalls(to: McpServer, context: string): readonly { readonly name: string; readonly input: Json }[] {
  const { toolCalls } = Context.parse(JSON.parse(context))
  const all = to.definitions()
  const nameOf = (name: string) => all.find((one) => one.name.endsWith(`__${name}`))?.name
  if (toolCalls.length > 0)
    return toolCalls.flatMap(({ name, arguments: input }) => {
      const own = nameOf(name)
      return own === undefined ? [] : [{ name: own, input }]
    })
  // One tool wants the schema of the other back, word for word.
  return all.map(({ name, parameters }) => ({
    name,
    input: inputFor(parameters, all.find((other) => other.name !== name)?.parameters ?? {}),
  }))
}

async function untilConnected({ status, finishSignIn }: McpServer): Promise<void> {
  const until = performance.now() + LIMIT_MS
  for (let signInCount = 0; performance.now() < until; ) {
    const { state } = status()
    if (state.type === 'connected') return
    if (state.type === 'needs-sign-in' && state.url !== null) {
      if (++signInCount > MOST_SIGN_INS) throw new Error('The server wants one sign-in after the other')
      await finishSignIn(await signIn(state.url), 'a person')
    }
    await wait(LOOK_MS)
  }
  throw new Error(`Not connected: ${JSON.stringify(status())}`)
}

/** A person signs in at the page, which leads back to us. */
async function signIn(page: string): Promise<URLSearchParams> {
  const { headers } = await fetch(page, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '', page).searchParams
}

async function call(to: McpServer, name: string, input: Json): Promise<string> {
  const source = {
    name: 'probe',
    list: () => to.definitions(),
    run: (asked: { readonly name: string; readonly input: Json }, context: Parameters<McpServer['call']>[1]) =>
      to.call(asked, context),
  }
  const result = await runCall({
    tool: toolsOf(source).find(({ definition }) => definition.name === name),
    call: { callId: 'call_1', name, input },
    limits: DEFAULT_LIMITS,
    clock: systemClock,
    signal: AbortSignal.timeout(LIMIT_MS),
    onLate() {},
    onLateEffect() {},
    person: { place: 'conversation_1', ask: async ({ wish }) => ({ type: 'accepted', content: defaultsOf(wish) }) },
  })
  return `${name}: ${result.outcome} ${JSON.stringify(result.content).slice(0, 500)}`
}

function inputFor(schema: Json, otherSchema: Json): Json {
  const { properties, required } = Schema.parse(schema)
  return Object.fromEntries(
    required.map((name) => [
      name,
      properties[name]?.default ?? (name === 'schema' ? otherSchema : sampleOf(properties[name]?.type)),
    ]),
  )
}

function sampleOf(type: unknown): Json {
  switch (type) {
    case 'number':
    case 'integer':
      return 5
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return 'words'
  }
}

/** A person who leaves every field as it was proposed. */
function defaultsOf(wish: QuestionWish): AnswerContent {
  if (wish.type === 'page') return {}
  return Object.fromEntries(
    wish.fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])),
  )
}
