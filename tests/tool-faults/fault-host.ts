import { join } from 'node:path'
import type { Entry } from '@holdfast/conversation'
import { createEngineOn, createInProcessBus, type Engine, type EnginePorts, type LiveMessage } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import {
  freePrice,
  type ModelPart,
  type ModelPort,
  type ModelRequest,
  UNKNOWN_MODEL,
  withOverride,
} from '@holdfast/provider'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { createPermissionRules, type Tool } from '@holdfast/tool'
import type { FaultCall } from './fault-case.ts'

const OWNER_ID = 'user_1'
const person = { type: 'person', userId: OWNER_ID } as const

/** The last words of a model that has seen a result. */
export const ALL_DONE = 'All done.'

/** One conversation whose model makes some calls in its first step, and says that all is done after that. */
export interface FaultConversation {
  readonly conversationId: string
  /** What the model was sent, in order. */
  readonly requests: readonly ModelRequest[]
  send(text: string): Promise<void>
  stop(): Promise<void>
  /** A person allows what asks. */
  allow(requestId: string): Promise<void>
  /** A person closes a question without an answer. */
  cancel(questionId: string): Promise<void>
  log(): Promise<readonly Entry[]>
}

/** The real engine on a real store, for many conversations that each have tools of their own. */
export interface FaultHost {
  /** What went wrong in the engine that no run's end tells. */
  readonly faults: readonly unknown[]
  converse(opened: {
    readonly number: number
    readonly calls: readonly FaultCall[]
    readonly tools: () => readonly Tool[]
  }): Promise<FaultConversation>
  /** Begins a conversation beside the cases, which the model beside them answers. @returns its id. */
  talk(name: string): Promise<string>
  /** What is live in a conversation, until the host is closed. */
  follow(conversationId: string, listener: (message: LiveMessage) => void): void
  close(): Promise<void>
}

/** What a host is opened with. */
export interface FaultHostOptions {
  readonly folder: string
  /** Answers what is no case; null where there are only cases. */
  readonly beside: ModelPort | null
}

interface Part {
  readonly calls: readonly FaultCall[]
  readonly tools: () => readonly Tool[]
  readonly requests: ModelRequest[]
}

/** Opens the host in a folder. Everything is allowed that no guard asks about: what counts here is what becomes of a call that runs. */
export async function openFaultHost({ folder, beside }: FaultHostOptions): Promise<FaultHost> {
  const { store, records, close } = await createSqliteStore({ dataDir: join(folder, 'store'), clock: systemClock })
  const parts = new Map<string, Part>()
  const faults: unknown[] = []
  const port = scriptedPort((caseName) => parts.get(caseName), beside)
  const bus = createInProcessBus()
  const facts = withOverride(UNKNOWN_MODEL, { price: freePrice('local') })
  const nameOf = new Map<string, string>()
  const ports: EnginePorts = {
    store,
    records,
    bus,
    sha256,
    sha256Both,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    models: () => [{ modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', port, facts }],
    toolsOf: ({ conversationId }) => parts.get(nameOf.get(conversationId) ?? '')?.tools() ?? [],
    permissions: createPermissionRules({ defaultPolicy: 'allow', mode: 'bypass', rules: [] }).policy,
    holder: systemIds.next('run'),
  }
  const engine: Engine = createEngineOn(ports, { onFault: ({ error }) => faults.push(error) })
  return {
    faults,
    async converse({ number, calls, tools }) {
      const caseName = `case ${number}.`
      const requests: ModelRequest[] = []
      const known: Entry[] = []
      const conversationId = engine.conversationIdFor(OWNER_ID, caseName)
      parts.set(caseName, { calls, tools, requests })
      nameOf.set(conversationId, caseName)
      const by = { actor: person, conversationId }
      await engine.createConversation({
        commandId: caseName,
        actor: person,
        ownerId: OWNER_ID,
        title: null,
        modelId: null,
      })
      return {
        conversationId,
        requests,
        async send(text) {
          const content = [{ type: 'text' as const, text: `${text}: ${caseName}` }]
          await engine.sendMessage({ ...by, commandId: `${caseName} ${text}`, content, lane: 'turn' })
        },
        async stop() {
          await engine.stopRun({ ...by, commandId: `${caseName} stop`, runId: null, force: false })
        },
        async allow(requestId) {
          await engine.answerPermission({
            ...by,
            commandId: `${caseName} ${requestId}`,
            requestId,
            decision: 'allow',
            scope: 'call',
          })
        },
        async cancel(questionId) {
          await engine.answerQuestion({ ...by, commandId: `${caseName} ${questionId}`, questionId, action: 'cancel' })
        },
        // Only what is new is read: whoever looks again and again holds up none of those that are measured beside it.
        async log() {
          const { entries } = await store.read({ conversationId, after: known.at(-1)?.seq ?? 0, limit: 1_000 })
          known.push(...entries.filter(({ seq }) => seq > (known.at(-1)?.seq ?? 0)))
          return known
        },
      }
    },
    async talk(name) {
      const conversationId = engine.conversationIdFor(OWNER_ID, name)
      await engine.createConversation({
        commandId: name,
        actor: person,
        ownerId: OWNER_ID,
        title: null,
        modelId: null,
      })
      const content = [{ type: 'text' as const, text: name }]
      await engine.sendMessage({ commandId: `${name} send`, actor: person, conversationId, content, lane: 'turn' })
      return conversationId
    },
    follow(conversationId, listener) {
      bus.subscribe(conversationId, listener)
    },
    async close() {
      await engine.close()
      await close()
    },
  }
}

/** A model that finds its part by the number in the first message. */
function scriptedPort(partOf: (caseName: string) => Part | undefined, beside: ModelPort | null): ModelPort {
  return {
    providerId: 'scripted',
    async stream(request, ports) {
      const caseName = /case \d+\./.exec(JSON.stringify(request.messages[0]))?.[0] ?? ''
      if (caseName === '' && beside !== null) return beside.stream(request, ports)
      const part = partOf(caseName)
      if (!part) throw new Error(`Nobody wrote a part for ${caseName}`)
      part.requests.push(request)
      for (const said of part.requests.length === 1 ? callsOf(part.calls) : wordsOf(ALL_DONE)) await ports.onPart(said)
    },
  }
}

function callsOf(calls: readonly FaultCall[]): readonly ModelPart[] {
  const blocks = calls.flatMap(({ tool: name, inputText }, block): ModelPart[] => [
    { type: 'block-started', block, start: { type: 'tool-call', callId: callIdAt(block), name } },
    { type: 'block-delta', block, text: inputText },
    { type: 'block-ended', block },
  ])
  return [...blocks, { type: 'finish', finish: 'tool-calls' }]
}

/** The id of a call by its place in the step. */
export function callIdAt(place: number): string {
  return `call_${place + 1}`
}

function wordsOf(text: string): readonly ModelPart[] {
  return [
    { type: 'block-started', block: 0, start: { type: 'text' } },
    { type: 'block-delta', block: 0, text },
    { type: 'block-ended', block: 0 },
    { type: 'finish', finish: 'end' },
  ]
}
