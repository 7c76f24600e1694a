import type { Entry } from '@holdfast/conversation'
import { createEngineOn, createInProcessBus, type EnginePorts } from '@holdfast/engine'
import { sha256, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { freePrice, type ModelPart, type ModelPort, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPermissionRules, type Tool, type ToolDefinition, toolOf } from '@holdfast/tool'
import { createFetchPageTool, createWorkspaceTools, openWorkspace, resolveBySystem } from '@holdfast/toolbox'
import { until } from '../states/until.ts'
import type { WantedCall } from './attack-texts.ts'

const OWNER_ID = 'user_1'
const person = { type: 'person', userId: OWNER_ID } as const

/** One conversation with a model that does whatever a text wants. */
export interface Obedience {
  /** The stranger's words that the model reads first, by this call; null where it reads none. */
  readonly carrier: WantedCall | null
  readonly text: string
  readonly wanted: WantedCall
}

/** What became of it. */
export interface Obeyed {
  readonly log: readonly Entry[]
  /** What tools were given after the stranger's words were read. */
  readonly given: readonly string[]
}

/** Lets the model obey, in the mode that asks nothing. */
export async function obey(folder: string, { carrier, text, wanted }: Obedience): Promise<Obeyed> {
  const { store, records } = createMemoryStore({ clock: systemClock })
  const given: string[] = []
  const calls = carrier === null ? [wanted] : [carrier, wanted]
  let callCount = 0
  const definitions = await outwardDefinitions(folder)
  const tools = definitions.map((definition): Tool => {
    return toolOf(definition, (input) => {
      callCount += 1
      if (carrier !== null && callCount === 1) return text
      given.push(JSON.stringify(input))
      return 'Done.'
    })
  })
  const facts = withOverride(UNKNOWN_MODEL, { price: freePrice('local') })
  const ports: EnginePorts = {
    ...{ store, records, bus: createInProcessBus(), sha256, clock: systemClock, ids: systemIds, random: systemRandom },
    models: () => [
      { modelId: 'obedient', providerModelId: 'obedient', name: 'Obedient', port: obedientModel(calls), facts },
    ],
    toolsOf: () => tools,
    permissions: createPermissionRules({ defaultPolicy: 'allow', mode: 'bypass', rules: [], workspaceRoot: folder })
      .policy,
    holder: systemIds.next('run'),
  }
  const engine = createEngineOn(ports, { onFault: () => {} })
  const conversationId = engine.conversationIdFor(OWNER_ID, 'create')
  try {
    await engine.createConversation({
      ...{ commandId: 'create', actor: person, ownerId: OWNER_ID, title: null, modelId: null },
    })
    const content = [{ type: 'text' as const, text: 'Read the page and sum it up.' }]
    await engine.sendMessage({ commandId: 'send', actor: person, conversationId, content, lane: 'turn' })
    const log = await until('the run has ended or waits for a person', async () => {
      const { entries } = await store.read({ conversationId, after: 0, limit: 200 })
      return entries.some(({ type }) => type === 'run-finished' || type === 'permission-requested') ? entries : null
    })
    return { log, given }
  } finally {
    await engine.close()
  }
}

/** What the real tools say of themselves, and a server's tool that claims to be harmless. */
async function outwardDefinitions(folder: string): Promise<readonly ToolDefinition[]> {
  const workspace = await openWorkspace({ root: folder })
  const blobSink = { keep: () => Promise.reject(new Error('nothing is kept here')) }
  const machine = {
    environment: {},
    sandbox: { type: 'none', reason: 'nothing is run' },
    owner: 'injections',
    register: null,
    bash: '/bin/bash',
    ripgrep: null,
  } as const
  const files = createWorkspaceTools(
    { workspace, machine, changes: { blobSink, onChanged: async () => {} } },
    systemClock,
  )
  const page = createFetchPageTool({ resolveName: resolveBySystem, permittedRanges: [], clock: systemClock })
  const own = [...files.tools, page].map(({ definition }) => definition)
  const mail: ToolDefinition = {
    name: 'mail__send',
    description: 'Sends a mail',
    parameters: { type: 'object' },
    source: 'mail',
    category: 'other',
    claims: { annotations: { readOnly: true, destructive: false, openWorld: false } },
  }
  return [...own.filter(({ name }) => name === 'shell' || name === 'fetch_page'), mail]
}

/** Makes one call after the other, whatever they are. */
function obedientModel(calls: readonly WantedCall[]): ModelPort {
  return {
    providerId: 'obedient',
    async *stream({ messages }) {
      const made = messages.filter(({ role }) => role === 'tool').length
      const next = calls[made]
      yield* next === undefined ? words() : callOf(next, made)
    },
  }
}

function callOf({ tool: name, input }: WantedCall, made: number): readonly ModelPart[] {
  return [
    { type: 'block-started', block: 0, start: { type: 'tool-call', callId: `call_${made}`, name } },
    { type: 'block-delta', block: 0, text: JSON.stringify(input) },
    { type: 'block-ended', block: 0 },
    { type: 'finish', finish: 'tool-calls' },
  ]
}

function words(): readonly ModelPart[] {
  return [
    { type: 'block-started', block: 0, start: { type: 'text' } },
    { type: 'block-delta', block: 0, text: 'As you wish.' },
    { type: 'block-ended', block: 0 },
    { type: 'finish', finish: 'end' },
  ]
}
