import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Entry } from '@holdfast/conversation'
import { createEngineOn, createInProcessBus, type EnginePorts } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { freePrice, type ModelPart, type ModelPort, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPermissionRules, type Tool, type ToolDefinition, toolOf } from '@holdfast/tool'
import {
  createFetchPageTool,
  createWorkspaceTools,
  type FileOrigins,
  openWorkspace,
  ownAddresses,
  resolveBySystem,
  usualBounds,
} from '@holdfast/toolbox'
import { createKnownFiles, type KnownFiles } from '@holdfast/workbench'
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
  /** A file of strangers from which the carrier reads them, by the real tool; absent where the call brings them itself. */
  readonly file?: StrangersFile
}

/** A file in the folder, and how it came there. */
export interface StrangersFile {
  readonly path: string
  /** In an earlier conversation: `brought` by a call, or `written` after strangers were read. Null: nobody told. */
  readonly how: 'brought' | 'written' | null
}

/** What became of it. */
export interface Obeyed {
  readonly log: readonly Entry[]
  /** What tools were given after the stranger's words were read. */
  readonly given: readonly string[]
}

/** Lets the model obey, in the mode that asks nothing. */
export async function obey(folder: string, { carrier, text, wanted, file }: Obedience): Promise<Obeyed> {
  const { store, records } = createMemoryStore({ clock: systemClock })
  const given: string[] = []
  const calls = carrier === null ? [wanted] : [carrier, wanted]
  let callCount = 0
  const knownFiles = createKnownFiles({ records, clock: systemClock, folderOf: () => folder, hasAccounts: false })
  if (file) await putFile(knownFiles, { folder, file, text })
  const reader = { conversationId: 'later', ownerId: OWNER_ID }
  const real = await realTools(folder, knownFiles.seenBy(reader))
  const tools = real.map((tool): Tool => {
    return toolOf(tool.definition, (input, context) => {
      callCount += 1
      if (carrier !== null && callCount === 1) return file ? tool.run(input, context) : text
      given.push(JSON.stringify(input))
      return 'Done.'
    })
  })
  const facts = withOverride(UNKNOWN_MODEL, { price: freePrice('local') })
  const ports: EnginePorts = {
    store,
    records,
    bus: createInProcessBus(),
    sha256,
    sha256Both,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    models: () => [
      { modelId: 'obedient', providerModelId: 'obedient', name: 'Obedient', port: obedientModel(calls), facts },
    ],
    toolsOf: () => tools,
    strangersFiles: knownFiles,
    permissions: createPermissionRules({ defaultPolicy: 'allow', mode: 'bypass', rules: [], workspaceRoot: folder })
      .policy,
    holder: systemIds.next('run'),
  }
  const engine = createEngineOn(ports, { onFault: () => {} })
  const conversationId = engine.conversationIdFor(OWNER_ID, 'create')
  try {
    await engine.createConversation({
      commandId: 'create',
      actor: person,
      ownerId: OWNER_ID,
      title: null,
      modelId: null,
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

async function putFile(
  knownFiles: KnownFiles,
  { folder, file, text }: { readonly folder: string; readonly file: StrangersFile; readonly text: string },
): Promise<void> {
  const whole = join(folder, file.path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, text)
  if (file.how === null) return
  const after = { hash: sha256(text), sizeBytes: Buffer.byteLength(text), mediaType: 'text/plain' }
  const changes = [{ path: file.path, kind: 'created', after } as const]
  const earlier = { conversationId: 'earlier', ownerId: OWNER_ID, settings: {}, by: 'shell' }
  await knownFiles.note({ ...earlier, changes, how: file.how })
}

/** The real tools, and a server's tool that claims to be harmless. */
async function realTools(folder: string, origins: FileOrigins): Promise<readonly Tool[]> {
  const workspace = openWorkspace({ root: folder, closed: [] })
  const blobSink = { keep: () => Promise.reject(new Error('nothing is kept here')) }
  const machine = {
    environment: {},
    sandbox: { type: 'none', reason: 'nothing is run' },
    owner: 'injections',
    register: null,
    bounds: usualBounds(),
    bash: '/bin/bash',
    ripgrep: null,
  } as const
  const files = createWorkspaceTools({ workspace, machine, blobSink, origins }, systemClock)
  const page = createFetchPageTool({
    resolveName: resolveBySystem,
    permittedRanges: [],
    ownAddresses,
    clock: systemClock,
  })
  const own = [...files.tools, page]
  const mail: ToolDefinition = {
    name: 'mail__send',
    description: 'Sends a mail',
    parameters: { type: 'object' },
    source: 'mail',
    category: 'other',
    claims: { annotations: { readOnly: true, destructive: false, openWorld: false } },
  }
  return [...own.filter(({ definition: { name } }) => NEEDED.has(name)), toolOf(mail, () => '')]
}

const NEEDED: ReadonlySet<string> = new Set(['shell', 'fetch_page', 'read', 'list', 'glob', 'search'])

/** Makes one call after the other, whatever they are. */
function obedientModel(calls: readonly WantedCall[]): ModelPort {
  return {
    providerId: 'obedient',
    async stream({ messages }, { onPart }) {
      const made = messages.filter(({ role }) => role === 'tool').length
      const next = calls[made]
      for (const part of next === undefined ? words() : callOf(next, made)) await onPart(part)
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
