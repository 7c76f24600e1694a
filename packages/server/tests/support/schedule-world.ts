import type { Clock, Entry, EntryStore, Records } from '@holdfast/conversation'
import { createEngineOn, createInProcessBus } from '@holdfast/engine'
import { createManualClock, createScriptedModel, type ManualClock, type ScriptLine } from '@holdfast/engine/testing'
import { type ModelFacts, UNKNOWN_MODEL } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { defineTool } from '@holdfast/tool'
import * as z from 'zod'
import type { MadeWithParts } from '../../src/schedules/check-made-with.ts'
import type { Folders } from '../../src/schedules/folder-looks.ts'
import { realIds, realRandom, sha256 } from './real-ports.ts'
import { scheduleParts, USER } from './schedule-bench.ts'

export const MINUTE = 60_000

const ringTool = defineTool({
  name: 'ring',
  description: 'Rings.',
  input: z.object({ bell: z.string() }),
  category: 'execute',
  run: () => Promise.resolve('rung'),
})

/** A world of one store and one clock, in which processes begin and die. */
export function scheduleWorld(script: readonly (readonly ScriptLine[])[], folders?: Folders, facts?: ModelFacts) {
  const clock = createManualClock()
  const memory = createMemoryStore({ clock })
  const model = createScriptedModel(script)
  const faults: unknown[] = []

  function process(
    store: EntryStore = memory.store,
    given: {
      readonly records?: Records
      readonly clock?: Clock
      readonly begins?: number
      readonly madeWith?: Partial<MadeWithParts>
    } = {},
  ) {
    const records = given.records ?? memory.records
    const own = given.clock ?? clock
    const bus = createInProcessBus()
    const onFault = (error: unknown) => void faults.push(error)
    const engine = createEngineOn(
      {
        store,
        records,
        bus,
        clock: own,
        ids: realIds,
        random: realRandom,
        sha256,
        sha256Both: ({ text, more }) => ({ ofText: sha256(text), ofAll: sha256(`${text}${more}`) }),
        models: () => [
          {
            modelId: 'scripted',
            providerModelId: 'scripted',
            name: 'Scripted',
            port: model,
            facts: facts ?? UNKNOWN_MODEL,
          },
        ],
        toolsOf: () => [ringTool],
        permissions: { defaultPolicy: 'ask', rules: [], hardDenials: [], workspaceRoot: null, mode: 'ask' },
        holder: realIds.next('run'),
      },
      { onFault: ({ error }) => onFault(error) },
    )
    return {
      engine,
      bus,
      schedules: scheduleParts({
        store,
        records,
        bus,
        engine,
        clock: own,
        onFault,
        ...(given.begins === undefined ? {} : { begins: given.begins }),
        ...(given.madeWith === undefined ? {} : { madeWith: given.madeWith }),
        ...(folders ? { folders } : {}),
      }),
    }
  }

  /** What was asked, in all conversations. */
  async function inputs(): Promise<readonly Entry[]> {
    const rows = await memory.store.listConversations({ ownerId: USER, archived: false, limit: 100 })
    const pages = await Promise.all(
      rows.map(({ conversationId }) => memory.store.read({ conversationId, after: 0, limit: 100 })),
    )
    return pages.flatMap(({ entries }) => entries.filter(({ type }) => type === 'input-admitted'))
  }

  return { clock, memory, model, faults, process, inputs }
}

/** Lets what is under way come to rest without time passing. */
export async function settle(clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await clock.advance(0)
}
