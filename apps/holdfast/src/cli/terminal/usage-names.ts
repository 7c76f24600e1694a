import { DEFAULT_AGENT, EXTERNAL_AGENT, type Records } from '@holdfast/conversation'
import { KNOWN_AGENTS } from '@holdfast/external-agent'
import type { UsageAnswer } from '@holdfast/protocol'
import * as z from 'zod'
import type { Config } from '../../config.ts'
import type { ProviderSetup } from '../../providers/provider-setup.ts'

/** Where names are looked up. */
export interface UsageNamesDeps {
  readonly config: Pick<Config, 'agents' | 'externalAgents'> & {
    readonly providers: readonly Pick<ProviderSetup, 'providerId' | 'name'>[]
  }
  readonly records: Pick<Records, 'get'>
}

/** What is stored by people stands together, and each has a name. */
const SHELF = 'installation'
const Named = z.object({ name: z.string() })

/** What a row of usage is called, as on the page, with its key behind a name. [AGENT62] */
export async function usageName(
  { config, records }: UsageNamesDeps,
  { by, key }: Pick<UsageAnswer, 'by'> & { readonly key: string },
): Promise<string> {
  const stored = async (kind: 'agent' | 'external-agent' | 'provider', id: string): Promise<string | undefined> =>
    (await records.get({ kind, schema: Named }, { ownerId: SHELF, id }))?.value.name

  async function agentName(agentId: string): Promise<string> {
    const named = (list: readonly { readonly id: string; readonly name: string }[], id: string) =>
      list.find((one) => one.id === id)?.name
    if (agentId === DEFAULT_AGENT.agentId) return DEFAULT_AGENT.name
    if (!agentId.startsWith(EXTERNAL_AGENT))
      return named(config.agents, agentId) ?? (await stored('agent', agentId)) ?? agentId
    const id = agentId.slice(EXTERNAL_AGENT.length)
    return named(config.externalAgents, id) ?? (await stored('external-agent', id)) ?? named(KNOWN_AGENTS, id) ?? id
  }

  switch (by) {
    case 'agent':
      return key === '' ? 'no agent' : withKey(await agentName(key), key)
    case 'model':
      return key.startsWith(EXTERNAL_AGENT) ? withKey(await agentName(key.split('/', 1).join()), key) : key
    case 'payer':
      if (key.startsWith(EXTERNAL_AGENT)) return withKey(`${await agentName(key)}, by its own sign-in`, key)
      return withKey(
        config.providers.find(({ providerId }) => providerId === key)?.name ?? (await stored('provider', key)) ?? key,
        key,
      )
    case 'day':
    case 'user':
    case 'conversation':
      return key
  }
}

function withKey(name: string, key: string): string {
  return name === key ? key : `${name} (${key})`
}
