import type { Clock } from '@holdfast/conversation'
import { ChatServer, type ProviderSetting } from '@holdfast/protocol'
import type { HttpLimits } from '@holdfast/provider'
import { type ProviderDirectory, RefusedError } from '@holdfast/server'
import type { ModelRegistry, RegisteredProvider } from './model-registry.ts'
import { keyOfSetup, type ProviderSetup } from './provider-setup.ts'
import { type ProviderValue, type StoredProvider, type StoredProviders, setupOf } from './stored-providers.ts'
import { testProvider } from './test-provider.ts'

/** What the directory needs. */
export interface DirectoryDeps {
  readonly stored: StoredProviders
  readonly registry: ModelRegistry
  readonly limits: HttpLimits
  readonly clock: Clock
  /** Ids of the providers that the configuration file has. */
  readonly idsOfFile: ReadonlySet<string>
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/** The directory, which takes over what others have stored. */
export interface RunningDirectory extends ProviderDirectory {
  /** Reads what is stored, and tells the registry what is new, changed or gone. */
  refresh(): Promise<void>
  /** The keys that are stored, which no line of the log may hold. [SEC4] */
  secrets(): readonly string[]
}

/** How long a look at this machine may take, in milliseconds: a person waits for it. */
const LOOK_MS = 2_000

/** Adds what is stored to what the operator has set up; that has the same id goes first. */
export function createProviderDirectory(deps: DirectoryDeps): RunningDirectory {
  const { stored, registry, limits, clock, idsOfFile, warn } = deps
  const known = new Map<string, StoredProvider>()
  const fixed = new Set(registry.providers().map(({ setup }) => setup.providerId))

  function settingOf({ setup, state, problem, models, mustAnswer }: RegisteredProvider): ProviderSetting {
    const row = known.get(setup.providerId)
    return {
      id: setup.providerId,
      name: setup.name,
      type: setup.type,
      server: setup.type === 'openai-chat' ? (ChatServer.safeParse(setup.vendor).data ?? null) : null,
      baseUrl: setup.baseUrl,
      region: setup.type === 'bedrock' ? setup.region : null,
      contextWindowTokens: setup.contextWindowTokens ?? null,
      keyEnding: endingOf(keyOfSetup(setup)),
      source: row ? { type: 'stored' } : mustAnswer ? { type: 'found' } : sourceOf(setup),
      state,
      problem,
      modelCount: models.length,
      revision: row?.revision ?? null,
    }
  }

  /** Of one whose key is lost there is no setup, yet people must see and mend it. */
  function lostSetting(row: StoredProvider): ProviderSetting {
    const { id, name, type, server, baseUrl, region, revision } = row
    return {
      id,
      name,
      type,
      server,
      baseUrl,
      region,
      contextWindowTokens: row.contextWindowTokens ?? null,
      revision,
      keyEnding: null,
      modelCount: 0,
      source: { type: 'stored' },
      state: 'failed',
      problem: 'Its key was sealed with another key file; give the key again',
    }
  }

  function sourceOf(setup: ProviderSetup): ProviderSetting['source'] {
    if (idsOfFile.has(setup.providerId)) return { type: 'file' }
    return { type: 'environment', variable: variableOf(setup) }
  }

  function settingNow(id: string): ProviderSetting {
    const one = registry.providers().find(({ setup }) => setup.providerId === id)
    const row = known.get(id)
    if (one) return settingOf(one)
    if (row) return lostSetting(row)
    throw unknownProvider(id)
  }

  function takeOver(row: StoredProvider): void {
    known.set(row.id, row)
    if (row.isKeyLost) {
      registry.drop(row.id)
      warn('the key of a provider cannot be read with this key file', { providerId: row.id })
      return
    }
    registry.put(setupOf(row, limits))
  }

  async function storedOne(id: string): Promise<StoredProvider> {
    if (fixed.has(id))
      throw new RefusedError(409, 'provider-not-stored', `${id} is set up outside; change it where its key is`)
    const row = await stored.get(id)
    if (row) return row
    throw unknownProvider(id)
  }

  async function write(value: ProviderValue): Promise<ProviderSetting> {
    setupOf(value, limits)
    const row = await stored.put(value)
    takeOver(row)
    return settingNow(row.id)
  }

  return {
    list() {
      const lost = [...known.values()].filter(({ isKeyLost }) => isKeyLost)
      return [...registry.providers().map(settingOf), ...lost.map(lostSetting)]
    },
    look: () => registry.look(LOOK_MS),
    async add({ id, name, type, server, baseUrl, region, apiKey, contextWindowTokens }) {
      if (fixed.has(id) || id === 'demo')
        throw new RefusedError(409, 'conflict', `The id "${id}" is taken; give this provider another`)
      return write({
        id,
        type,
        revision: 0,
        name: name ?? id,
        server: server ?? null,
        baseUrl: baseUrl ?? null,
        region: region ?? null,
        apiKey: apiKey ?? null,
        ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
      })
    },
    async change(id, { revision, name, baseUrl, apiKey, contextWindowTokens }) {
      const { contextWindowTokens: before, ...row } = await storedOne(id)
      const window = contextWindowTokens === undefined ? (before ?? null) : contextWindowTokens
      // A key goes to the address that it was given for, and to no other.
      const isMoved = baseUrl !== undefined && baseUrl !== row.baseUrl
      if (isMoved && apiKey === undefined && (row.apiKey !== null || row.isKeyLost))
        throw new RefusedError(422, 'bad-request', 'Another address needs the key given again: apiKey')
      return write({
        ...row,
        revision,
        ...(name === undefined ? {} : { name }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(window === null ? {} : { contextWindowTokens: window }),
      })
    },
    async remove(id) {
      await storedOne(id)
      await stored.remove(id)
      known.delete(id)
      registry.drop(id)
    },
    async test(id, signal) {
      const one = registry.providers().find(({ setup }) => setup.providerId === id)
      if (!one)
        throw known.has(id) ? new RefusedError(422, 'bad-request', settingNow(id).problem ?? '') : unknownProvider(id)
      return testProvider(one, { clock, signal })
    },
    secrets: () => [...known.values()].flatMap(({ apiKey }) => apiKey ?? []),
    async refresh() {
      const rows = (await stored.list()).filter(({ id }) => !fixed.has(id))
      for (const id of known.keys()) {
        if (rows.some((row) => row.id === id)) continue
        known.delete(id)
        registry.drop(id)
      }
      for (const row of rows) if (known.get(row.id)?.revision !== row.revision) takeOver(row)
    },
  }
}

/** The variable that sets a provider of the environment up. */
function variableOf(setup: ProviderSetup): string {
  switch (setup.type) {
    case 'anthropic':
      return 'ANTHROPIC_API_KEY'
    case 'openai-responses':
      return 'OPENAI_API_KEY'
    case 'openai-chat':
      return 'OPENAI_BASE_URL'
    case 'google':
      return 'GOOGLE_GENERATIVE_AI_API_KEY'
    case 'bedrock':
      return setup.credentials.type === 'api-key' ? 'AWS_BEARER_TOKEN_BEDROCK' : 'AWS_ACCESS_KEY_ID'
  }
}

/** A short key shows nothing of itself. */
function endingOf(key: string | null): string | null {
  return key === null || key.length < 12 ? null : key.slice(-4)
}

function unknownProvider(id: string): RefusedError {
  return new RefusedError(404, 'unknown-provider', `There is no provider ${id}`)
}
