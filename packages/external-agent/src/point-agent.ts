import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentChoice, PaidBy } from './agent-choice.ts'
import { AgentFailure } from './agent-failure.ts'
import {
  type ExternalAgent,
  type GatewayAddress,
  type GatewayChoice,
  type KnownAgent,
  knownAgent,
} from './known-agents.ts'

/** A model that can be paid for, by the name that the agent has for it. */
export interface PayableModel {
  readonly id: string
  readonly name: string
  /** Null where that is not known. */
  readonly takesImages: boolean | null
}

/** What leads an agent to the gateway, and to which model first. */
export interface PointedAt {
  readonly env: ExternalAgent['env']
  readonly models: readonly PayableModel[]
  /** The model that it begins with. */
  readonly firstId: string
}

/** The models behind the gateway that an agent can ask, as it names them. [AGENT53] */
export function payableModels(agent: KnownAgent, models: readonly GatewayChoice[]): readonly PayableModel[] {
  const reachable = models.filter(({ form }) => agent.forms.includes(form))
  return reachable.map((model) => ({
    id: agent.modelIdOf(model),
    name: model.name,
    takesImages: model.takesImages,
  }))
}

/**
 * Points an agent at the gateway. @throws {AgentFailure} where it cannot ask who is to pay, or the model that was chosen is none
 * of those that are paid for. [AGENT35, AGENT53]
 *
 * @returns null where it asks by its own sign-in, since nobody said otherwise and no provider speaks its form.
 */
export async function pointAgent(
  {
    agent,
    gateway,
    choice,
  }: { readonly agent: ExternalAgent; readonly gateway: GatewayAddress; readonly choice: AgentChoice },
  settingsFolder: () => string,
): Promise<PointedAt | null> {
  const known = knownAgent(agent.id)
  const models = known === null ? [] : payableModels(known, gateway.models)
  if (known === null || models.length === 0) {
    if (choice.paidBy === null) return null
    throw new AgentFailure('refused', cannotAsk(agent, choice.paidBy), {})
  }
  const chosen = choice.modelId === null ? models[0] : models.find(({ id }) => id === choice.modelId)
  if (chosen === undefined) throw new AgentFailure('refused', notPaidFor(String(choice.modelId), models), {})
  const first = gateway.models.filter((model) => known.modelIdOf(model) === chosen.id)
  const pointed = known.pointAt({
    ...gateway,
    models: [...first, ...gateway.models.filter((one) => !first.includes(one))],
  })
  if (pointed === null) throw new AgentFailure('refused', cannotAsk(agent, choice.paidBy ?? 'providers'), {})
  const { env, settings } = pointed
  if (settings === undefined) return { env, models, firstId: chosen.id }
  const path = join(settingsFolder(), `${agent.id}.json`)
  await writeFile(path, settings.text, { mode: 0o600 })
  return { env: { ...env, [settings.variable]: path }, models, firstId: chosen.id }
}

/** Why an agent cannot be paid for as it was chosen. */
export function cannotAsk({ id, name }: Pick<ExternalAgent, 'id' | 'name'>, paidBy: PaidBy): string {
  const known = knownAgent(id)
  if (known === null)
    return `${name} is no known agent and cannot be led to a provider here: let it pay by its own sign-in`
  const who =
    paidBy === 'providers'
      ? 'No provider that is set up'
      : `What is set up as ${paidBy.replace(/^provider:/, '')} does not`
  const speaks = paidBy === 'providers' ? 'speaks' : 'speak'
  return `${who} ${speaks} the form of ${name} (${known.forms.join(', ')}), or has no model: choose who else pays, or its own sign-in`
}

function notPaidFor(modelId: string, models: readonly PayableModel[]): string {
  return `The model ${modelId} is not one that is paid for here; there is: ${models.map(({ id }) => id).join(', ')}. Choose another for this conversation, or who else pays`
}
