import { join } from 'node:path'
import type { Clock, Json } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import {
  createMcpServer,
  type HttpReach,
  type McpServer,
  type McpServerSettings,
  type PinStore,
  type StdioReach,
} from '@holdfast/mcp'
import type { KeptSignIn, PinnedServer } from '@holdfast/mcp/settings'
import {
  type CallResult,
  DEFAULT_LIMITS,
  type PersonAtHand,
  runCall,
  type ToolAnswer,
  type ToolDefinition,
  type ToolQuestion,
  toolsOf,
} from '@holdfast/tool'
import type { ProcessRegister } from '@holdfast/tool/process'
import { expect, onTestFinished } from 'vitest'

export interface OpenServer {
  readonly server: McpServer
  readonly pins: PinStore
  /** Process groups that were started and are not over. */
  readonly groups: ReadonlySet<number>
  call(name: string, input: Json, options?: CallOptions): Promise<CallResult>
  definition(name: string): ToolDefinition | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Who answers the server's questions, and where; nobody without it. */
  readonly answers?: AskedPerson
  readonly place?: string
  /** Who lends a model, where somebody answers; nobody without it. */
  readonly lends?: LendModel
  readonly onProgress?: (message: string) => void
}

/** Lends a model. */
type LendModel = NonNullable<PersonAtHand['lendModel']>

/** Answers what a server asks. */
export type AskedPerson = (question: ToolQuestion) => Promise<ToolAnswer>

export function memoryPins(): PinStore & { readonly kept: Map<string, PinnedServer> } {
  const kept = new Map<string, PinnedServer>()
  return {
    kept,
    read: async (server) => kept.get(server) ?? null,
    async write(server, pinned) {
      kept.set(server, structuredClone(pinned))
    },
  }
}

/** Opens a server that is closed with the test, and whose processes must be gone then. */
export function openServer(
  reach: StdioReach | HttpReach,
  more: { readonly pins?: PinStore; readonly settings?: Partial<McpServerSettings>; readonly clock?: Clock } = {},
): OpenServer {
  const pins = more.pins ?? memoryPins()
  const groups = new Set<number>()
  const register: ProcessRegister = {
    note: (groupId) => groups.add(groupId),
    forget: (groupId) => groups.delete(groupId),
    endLeftOver: async () => 0,
  }
  const signIns = new Map<string, KeptSignIn>()
  const server = createMcpServer(
    { name: 'probe', reach, timeoutMs: 20_000, silenceMs: 10_000, on: true, ...more.settings },
    {
      clock: more.clock ?? systemClock,
      environment: { ...process.env, HOLDFAST_CANARY: 'canary-of-ours' },
      register,
      fetch,
      isPublicHost: async () => true,
      version: '0.0.0',
      pins,
      signIns: {
        read: async (name) => signIns.get(name) ?? null,
        async write(name, state) {
          signIns.set(name, state)
        },
      },
      redirectUrl: () => 'http://127.0.0.1:9/api/v1/mcp-sign-in',
      onChange() {},
    },
  )
  onTestFinished(async () => {
    await server.close()
    expect([...groups]).toEqual([])
  })
  return {
    server,
    pins,
    groups,
    definition: (name) => server.definitions().find((known) => known.name === `probe__${name}`),
    call(name, input, { signal, answers, lends, place = 'conversation_1', onProgress } = {}) {
      const source = {
        name: 'probe',
        list: () => server.definitions(),
        run: (call: { readonly name: string; readonly input: Json }, context: Parameters<McpServer['call']>[1]) =>
          server.call(call, context),
      }
      const call = { callId: 'call_1', name: `probe__${name}`, input }
      return runCall({
        tool: toolsOf(source).find(({ definition }) => definition.name === call.name),
        call,
        limits: { ...DEFAULT_LIMITS, graceMs: 500 },
        clock: systemClock,
        signal: signal ?? new AbortController().signal,
        onLate() {},
        onLateEffect() {},
        ...(answers ? { person: { place, ask: answers, ...(lends ? { lendModel: lends } : {}) } } : {}),
        ...(onProgress ? { onProgress } : {}),
      })
    },
  }
}

/** A program of Node.js as a server. */
export function programReach(
  path: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  return { type: 'stdio', command: process.execPath, args: [path, ...args], environment, folder: null } as const
}

export async function untilConnected({ server }: OpenServer): Promise<void> {
  await expect
    .poll(() => server.status(), { timeout: 20_000, interval: 20 })
    .toMatchObject({ state: { type: 'connected' } })
}

export function textOf({ content }: Pick<CallResult, 'content'>): string {
  return content.map((part) => (part.type === 'text' ? part.text : '[picture]')).join('\n')
}

export function hostileReach(
  fault: string,
  detail = '',
  environment: Readonly<Record<string, string>> = {},
): StdioReach {
  return programReach(join(import.meta.dirname, 'hostile-server.mjs'), [fault, detail], environment)
}

/** What was accepted of the hostile server on an earlier day. */
export function knownPins(): ReturnType<typeof memoryPins> {
  const pins = memoryPins()
  const work = { name: 'work', description: 'Does work', parameters: { type: 'object' } }
  pins.kept.set('probe', { tools: [work], instructions: null })
  return pins
}
