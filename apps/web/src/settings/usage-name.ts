import { EXTERNAL_AGENT } from '@holdfast/conversation'
import type { UsageAnswer } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'

/** Whose names may be used. */
export interface UsageNames {
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly agents: readonly { readonly id: string; readonly name: string }[]
}

/** What a row of usage is called: an agent by its name, as long as it is there. [AGENT56] */
export function usageName({ by, key }: Pick<UsageAnswer, 'by'> & { readonly key: string }, names: UsageNames): string {
  if (key === '') return say('usage.no-agent')
  switch (by) {
    case 'agent':
      return agentName(key, names)
    case 'model':
      return key.startsWith(EXTERNAL_AGENT) ? agentName(key.split('/', 1).join(), names) : key
    case 'payer':
      return key.startsWith(EXTERNAL_AGENT)
        ? say('usage.by-its-own-sign-in', { name: agentName(key, names) })
        : (names.providers.find(({ id }) => id === key)?.name ?? key)
    case 'day':
    case 'user':
    case 'conversation':
      return key
  }
}

function agentName(key: string, { agents }: UsageNames): string {
  const found = agents.find(({ id }) => id === key)
  if (found) return found.name
  return key.startsWith(EXTERNAL_AGENT) ? key.slice(EXTERNAL_AGENT.length) : key
}
