import type { Settings } from '@holdfast/conversation'
import { cannotAsk, type ExternalAgent, type ExternalAgents, knownAgent, payableModels } from '@holdfast/external-agent'
import type { ExternalAgentChoices } from '@holdfast/protocol'
import { notThere, type OwnGateway, type PaidHere } from '../providers/gateway-providers.ts'

type PaidBy = ExternalAgentChoices['paidBy']

/** What the choices of external agents are made of. */
export interface OfferedChoicesDeps {
  readonly gateway: () => Pick<OwnGateway, 'reaches' | 'payers'>
  readonly settings: () => Pick<Settings, 'agentModels'>
  /** Looks at what an agent offers, in a folder of its own. */
  readonly look: (
    asked: Omit<Parameters<ExternalAgents['choices']>[0], 'folder'>,
  ) => ReturnType<ExternalAgents['choices']>
}

/** What is asked of them. */
export interface ChoicesOf {
  readonly agent: ExternalAgent
  /** Null for who pays where nobody chose. */
  readonly paidBy: PaidBy | null
  readonly signal: AbortSignal
}

/** What a person can choose of an external agent: who pays, and by that its models; its modes. [AGENT53, AGENT54, AGENT55] */
export async function offeredChoices(deps: OfferedChoicesDeps, asked: ChoicesOf): Promise<ExternalAgentChoices> {
  const { agent, signal } = asked
  const usualPayer = usualPayerOf(deps, agent)
  const paidBy = asked.paidBy ?? usualPayer
  const base = { payers: payersOf(deps, agent), paidBy, usualPayer }
  const problem = paidBy === 'own' ? null : problemOf(deps, agent, paidBy)
  if (problem !== null) return { ...base, ...NOTHING, problem }
  const models = paidBy === 'own' ? null : deps.gateway().reaches(paidBy)
  const { payable, offer, problem: why, isUnsigned } = await deps.look({ agent, paidBy, models, signal })
  const paidFor = payable?.map(({ id, name, takesImages }) => ({ id, name, description: null, takesImages })) ?? null
  const own = offer?.models.map((model) => ({ ...model, takesImages: null })) ?? []
  return {
    ...base,
    modes: offer?.modes.map(({ id, name, description, asksFirst }) => ({ id, name, description, asksFirst })) ?? null,
    askMode: offer?.askMode ?? null,
    models: paidFor ?? own,
    usualModel: paidFor === null ? (offer?.currentModelId ?? null) : (paidFor[0]?.id ?? null),
    takesImages: offer?.takesImages ?? null,
    problem: why === null || !isUnsigned ? why : `${why}${paidElsewise(base.payers)}`,
  }
}

/** Who is not signed in can be paid for by a provider here, where one can be asked in its form. [AGENT80] */
function paidElsewise(payers: ExternalAgentChoices['payers']): string {
  const names = payers.flatMap(({ name }) => name ?? [])
  if (names.length === 0) return ''
  return ` — or have it paid here: choose ${names.join(', ')} as the one who pays (\`--paid-by\` in the terminal)`
}

const NOTHING = { modes: null, askMode: null, models: [], usualModel: null, takesImages: null }

/** As an agent is started where nobody chose: by its own sign-in also where nobody here can be asked in its form. [AGENT35] */
function usualPayerOf(deps: OfferedChoicesDeps, agent: ExternalAgent): PaidBy {
  if (deps.settings().agentModels !== 'providers') return 'own'
  return problemOf(deps, agent, 'providers') === null ? 'providers' : 'own'
}

function payersOf(deps: OfferedChoicesDeps, agent: ExternalAgent): ExternalAgentChoices['payers'] {
  const can = (paidBy: PaidHere): boolean => problemOf(deps, agent, paidBy) === null
  const single = deps
    .gateway()
    .payers()
    .map(({ id, name }) => ({ id: `provider:${id}` as const, name }))
    .filter(({ id }) => can(id))
  const together = can('providers') ? [{ id: 'providers' as const, name: null }] : []
  return [{ id: 'own', name: null }, ...together, ...single]
}

/** Why this agent cannot be paid for so; null where it can. */
function problemOf({ gateway }: OfferedChoicesDeps, agent: ExternalAgent, paidBy: PaidHere): string | null {
  const known = knownAgent(agent.id)
  const models = gateway().reaches(paidBy)
  if (models === null) return notThere(paidBy)
  return known === null || payableModels(known, models).length === 0 ? cannotAsk(agent, paidBy) : null
}
