import type { Records } from '@holdfast/conversation'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { HTTP_LIMITS } from '@holdfast/provider'
import { createDemoModel } from '@holdfast/provider/demo'
import type { Diagnostics, Seal } from '@holdfast/server'
import type { Config } from '../config.ts'
import { localServers } from './detect-local.ts'
import { createLearntWindows } from './learnt-windows.ts'
import { createModelRegistry } from './model-registry.ts'
import { createProviderDirectory } from './provider-directory.ts'
import { createStoredProviders } from './stored-providers.ts'

/** Opens the models of the file, the environment and the store, and the providers that admins may change. */
export async function openModels(
  config: Config,
  { records, seal, log }: { readonly records: Records; readonly seal: Seal; readonly log: Diagnostics },
) {
  const windows = createLearntWindows({ records, clock: systemClock, warn: log.warn })
  await windows.refresh()
  const models = createModelRegistry({
    setups: config.providers,
    local: config.detect ? localServers(config.providers, { limits: HTTP_LIMITS, ollamaHost: config.ollamaHost }) : [],
    defaultModelId: config.defaultModelId,
    demo: createDemoModel({ clock: systemClock, ids: systemIds }),
    windows,
    clock: systemClock,
    ports: { ids: systemIds },
    warn: log.warn,
  })
  const providers = createProviderDirectory({
    stored: createStoredProviders({ records, clock: systemClock, seal }),
    registry: models,
    limits: config.providerLimits,
    clock: systemClock,
    idsOfFile: config.providerIdsOfFile,
    warn: log.warn,
  })
  return { models, providers }
}
