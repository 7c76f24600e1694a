import { createEngineOn, createInProcessBus } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { type ModelPort, UNKNOWN_MODEL } from '@holdfast/provider'
import { createTestServer } from '@holdfast/server/testing'
import { createMemoryStore } from '@holdfast/store/memory'

/** A real server on a real engine, whose store outlives its restarts. */
export interface StormServer {
  readonly url: string
  readonly store: ReturnType<typeof createMemoryStore>['store']
  newConversation(commandId: string): Promise<string>
  /** Ends the process's part of it and begins again at the same address, on the same store. */
  restart(): Promise<void>
  close(): Promise<void>
}

export const STORM_TOKEN = 'a-start-up-token'

/** Says numbered words, a turn of the event loop between every two. */
function wordsModel(wordCount: number): ModelPort {
  return {
    providerId: 'words',
    async stream(_request, { signal, onPart }) {
      await onPart({ type: 'block-started', block: 0, start: { type: 'text' } })
      for (let index = 0; index < wordCount; index += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        if (signal.aborted) return
        await onPart({ type: 'block-delta', block: 0, text: `w${index} ` })
      }
      await onPart({ type: 'block-ended', block: 0 })
      await onPart({ type: 'finish', finish: 'end' })
    },
  }
}

export async function startStormServer(wordCount: number): Promise<StormServer> {
  const { store, records } = createMemoryStore({ clock: systemClock })
  const ignore = () => {}
  const model = { modelId: 'words', providerModelId: 'words', name: 'Words', facts: UNKNOWN_MODEL }
  let port = 0
  let running = await begin()

  async function begin() {
    const bus = createInProcessBus()
    const holder = systemIds.next('run')
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
        holder,
        models: () => [{ ...model, port: wordsModel(wordCount) }],
        toolsOf: () => [],
        permissions: { defaultPolicy: 'ask', rules: [], hardDenials: [], workspaceRoot: null, mode: 'ask' },
      },
      { onFault: ignore },
    )
    const server = await createTestServer({ engine, bus, store, records, token: STORM_TOKEN, serverId: holder })
    await store.endLeases()
    await engine.recover()
    const { url } = await server.listen({ host: '127.0.0.1', port })
    port = Number(new URL(url).port)
    return { engine, server, url }
  }

  async function end(): Promise<void> {
    running.server.stopAccepting()
    await running.engine.close()
    await running.server.close()
  }

  return {
    url: running.url,
    store,
    async newConversation(commandId) {
      const actor = { type: 'person', userId: 'local' } as const
      const asked = { commandId, actor, ownerId: 'local', title: null, modelId: null }
      return (await running.engine.createConversation(asked)).conversationId
    },
    async restart() {
      await end()
      running = await begin()
    },
    async close() {
      await end()
      await store.close()
    },
  }
}
