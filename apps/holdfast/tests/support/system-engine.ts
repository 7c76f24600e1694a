import type { EntryStore, Records } from '@holdfast/conversation'
import { createEngineOn, createInProcessBus, type Engine, type EnginePorts } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'

/** A store with its records. */
export interface OpenedStore {
  readonly store: EntryStore
  readonly records: Records
}

/** The engine on a store, with the system's own clock, ids and chance, without tools, and asking before all else. */
export function openSystemEngine(
  { store, records }: OpenedStore,
  { models, holder, onFault }: Pick<EnginePorts, 'models' | 'holder'> & { readonly onFault: (error: unknown) => void },
): Engine {
  return createEngineOn(
    {
      store,
      records,
      bus: createInProcessBus(),
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      sha256,
      sha256Both,
      models,
      holder,
      toolsOf: () => [],
      permissions: { defaultPolicy: 'ask', rules: [], hardDenials: [], workspaceRoot: null, mode: 'ask' },
    },
    { onFault: ({ error }) => onFault(error) },
  )
}
