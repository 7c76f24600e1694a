import { createEngineOn, createInProcessBus, type Engine, type LiveBus } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { createScriptedModel, type ScriptedModel, type ScriptLine } from '@holdfast/engine/testing'
import type { ModelsAnswer } from '@holdfast/protocol'
import { UNKNOWN_MODEL } from '@holdfast/provider'
import { createTestServer } from '@holdfast/server/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { defineTool } from '@holdfast/tool'
import * as z from 'zod'
import { createInterop } from '../../src/index.ts'

export const TOKEN = 'a-start-up-token'

/** A tool that runs at once. */
const lookTool = defineTool({
  name: 'look',
  description: 'Looks at a place.',
  input: z.object({ place: z.string() }),
  category: 'read',
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  run: ({ place }) => Promise.resolve(`the ${place} is green`),
})

/** A tool that asks a person. */
const paintTool = defineTool({
  name: 'paint',
  description: 'Paints a place.',
  input: z.object({ colour: z.string() }),
  category: 'edit',
  run: ({ colour }) => Promise.resolve(`painted ${colour}`),
})

const PROVIDER: ModelsAnswer['providers'][number] = {
  id: 'here',
  name: 'Here',
  state: 'ready',
  problem: null,
  models: [
    {
      id: 'scripted',
      name: 'Scripted',
      contextWindowTokens: null,
      maxOutputTokens: null,
      price: null,
      capabilities: { tools: true, images: null, thinking: null, promptCache: null },
    },
  ],
}

/** A real server with the foreign protocols, on a real engine and the memory store, with a scripted model. */
export interface ServedChat {
  readonly url: string
  readonly store: ReturnType<typeof createMemoryStore>['store']
  readonly records: ReturnType<typeof createMemoryStore>['records']
  readonly bus: LiveBus
  readonly engine: Engine
  readonly model: ScriptedModel
  close(): Promise<void>
}

export async function serveChat(scripts: readonly (readonly ScriptLine[])[]): Promise<ServedChat> {
  const { store, records } = createMemoryStore({ clock: systemClock })
  const bus = createInProcessBus()
  const model = createScriptedModel(scripts)
  const interop = createInterop({ bus })
  const choice = { modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', facts: UNKNOWN_MODEL }
  const engine = createEngineOn(
    {
      store,
      records,
      bus,
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      sha256,
      sha256Both,
      models: () => [{ ...choice, port: model }],
      toolsOf: interop.toolsOver(() => [lookTool, paintTool]),
      permissions: {
        defaultPolicy: 'ask',
        rules: [{ id: 'look', effect: 'allow', tool: 'look' }],
        hardDenials: [],
        workspaceRoot: null,
        mode: 'ask',
      },
      holder: systemIds.next('run'),
    },
    { onFault: () => {} },
  )
  const server = await createTestServer({
    engine,
    bus,
    store,
    records,
    token: TOKEN,
    models: () => ({
      defaultModelId: 'scripted',
      permissionMode: 'ask',
      silence: { firstEventMs: 120_000, betweenEventsMs: 300_000 },
      providers: [PROVIDER],
    }),
    mounts: interop.mounts,
  })
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    store,
    records,
    bus,
    engine,
    model,
    async close() {
      await engine.close()
      await server.close()
      await store.close()
    },
  }
}
