import { type Clock, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import { ChatServer, ProviderType } from '@holdfast/protocol'
import type { HttpLimits } from '@holdfast/provider'
import { RefusedError, type Seal } from '@holdfast/server'
import * as z from 'zod'
import type { ProviderSetup } from './provider-setup.ts'
import { USUAL_URLS } from './usual-urls.ts'

const Stored = z.object({
  name: z.string(),
  type: ProviderType,
  server: ChatServer.nullable(),
  baseUrl: z.string().nullable(),
  region: z.string().nullable(),
  /** The window of its models; absent where nobody set one. */
  contextWindowTokens: z.int().positive().exactOptional(),
  /** Null where it has no key. */
  sealedKey: z.string().nullable(),
})

const PROVIDER = { kind: 'provider', schema: Stored } as const satisfies RecordKind<z.infer<typeof Stored>>

/** They belong to the installation, not to one user. */
const OWNER_ID = 'installation'

const PAGE = 200

/** A provider that was added over the API, with its key. */
export interface StoredProvider extends Omit<z.infer<typeof Stored>, 'sealedKey'> {
  readonly id: string
  readonly revision: number
  /** Null where it has none, or where it cannot be read with the key file of this data folder. */
  readonly apiKey: string | null
  /** Whether there is a key that cannot be read. */
  readonly isKeyLost: boolean
}

/** What is written of one. */
export type ProviderValue = Omit<StoredProvider, 'isKeyLost'>

/** Keeps the providers that were added over the API, their keys sealed. [SEC4] */
export interface StoredProviders {
  list(): Promise<readonly StoredProvider[]>
  get(id: string): Promise<StoredProvider | null>
  /** Revision 0 adds it. @throws {RefusedError} when it is at another revision. */
  put(value: ProviderValue): Promise<StoredProvider>
  /** @returns whether it was there. */
  remove(id: string): Promise<boolean>
}

/** Keeps them in the records. */
export function createStoredProviders({
  records,
  seal,
  clock,
}: {
  readonly records: Records
  readonly seal: Seal
  readonly clock: Clock
}): StoredProviders {
  function opened(id: string, revision: number, { sealedKey, ...value }: z.infer<typeof Stored>): StoredProvider {
    const apiKey = sealedKey === null ? null : seal.open(sealedKey, id)
    return { ...value, id, revision, apiKey, isKeyLost: sealedKey !== null && apiKey === null }
  }

  async function get(id: string): Promise<StoredProvider | null> {
    const found = await records.get(PROVIDER, { ownerId: OWNER_ID, id })
    return found && opened(id, found.revision, found.value)
  }

  return {
    get,
    async list() {
      const rows = await records.list(PROVIDER, { ownerId: OWNER_ID, limit: PAGE })
      return rows.map(({ id, revision, value }) => opened(id, revision, value))
    },
    async put({ id, revision, apiKey, ...value }) {
      const sealedKey = apiKey === null ? null : seal.seal(apiKey, id)
      try {
        const { name, type, server, baseUrl, region, contextWindowTokens } = value
        const window = contextWindowTokens === undefined ? {} : { contextWindowTokens }
        const row = { name, type, server, baseUrl, region, sealedKey, ...window }
        const write = { ownerId: OWNER_ID, id, revision, value: row, at: clock.now() }
        const written = await records.put(PROVIDER, write)
        return opened(id, written.revision, written.value)
      } catch (error) {
        if (!(error instanceof RevisionConflictError)) throw error
        const words = `Provider ${id} is at revision ${error.currentRevision}, not ${revision}; read it again`
        throw new RefusedError(409, 'conflict', words)
      }
    },
    async remove(id) {
      for (;;) {
        const found = await get(id)
        if (!found) return false
        try {
          await records.remove(PROVIDER, { ownerId: OWNER_ID, id, revision: found.revision })
          return true
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
        }
      }
    },
  }
}

/**
 * The setup of a stored provider.
 *
 * @throws {RefusedError} when something is missing that its type needs.
 */
export function setupOf(stored: ProviderValue, limits: HttpLimits): ProviderSetup {
  const { id, name, type, server, baseUrl, region, apiKey, contextWindowTokens } = stored
  const window = contextWindowTokens === undefined ? {} : { contextWindowTokens }
  const shared = { providerId: id, name, headers: {}, models: null, limits, ...window }
  const needed = (): string => {
    if (apiKey !== null) return apiKey
    throw new RefusedError(422, 'bad-request', `A provider of type ${type} needs a key: apiKey`)
  }
  switch (type) {
    case 'anthropic':
    case 'openai-responses':
    case 'google':
      return { ...shared, type, baseUrl: baseUrl ?? USUAL_URLS[type], apiKey: needed() }
    case 'openai-chat':
      if (baseUrl === null)
        throw new RefusedError(422, 'bad-request', 'A provider of type openai-chat needs an address: baseUrl')
      return { ...shared, type, baseUrl, vendor: server ?? 'openai-compatible', apiKey }
    case 'bedrock': {
      const credentials = { type: 'api-key', apiKey: needed() } as const
      return { ...shared, type, baseUrl, region: region ?? 'us-east-1', credentials }
    }
  }
}
