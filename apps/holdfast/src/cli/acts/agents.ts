import { EXTERNAL_AGENT } from '@holdfast/conversation'
import { type AgentRow, routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { type ReachOptions, reachServer } from '../reach/reach-server.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What `holdfast agents list` was asked for. */
export interface AgentsOptions extends ReachOptions {
  readonly json: boolean
}

/** Prints the agents that may be chosen. @returns the exit code. */
export async function listAgents(options: AgentsOptions): Promise<number> {
  const server = await reachServer(options)
  try {
    const { agents } = await server.api.call(routes.listAgents, {})
    const lines = options.json ? agents.map((row) => JSON.stringify(row)) : agents.map(lineOf)
    process.stdout.write(`${lines.join('\n')}\n`)
    return 0
  } finally {
    await server.close()
  }
}

/**
 * The id of the agent that a person means by its id or its name.
 *
 * @throws {CliError} when there is none, or more than one has the name.
 */
export async function agentIdOf(api: Api, wanted: string): Promise<string> {
  const { agents } = await api.call(routes.listAgents, {})
  const named = agents.filter(({ id, name }) => {
    // Of an external agent whose name another one has too the list says the id with it. [AGENT72]
    const plain = name.replace(` (${id.slice(EXTERNAL_AGENT.length)})`, '')
    return id === wanted || [name, plain].some((one) => one.toLowerCase() === wanted.toLowerCase())
  })
  const [one] = named
  if (one && named.length === 1) return one.id
  if (one)
    throw new CliError(
      'E_AGENT',
      2,
      `${named.length} agents are called ${wanted}: ${named.map(({ id }) => id).join(', ')}. Give the id.`,
    )
  const names = agents.map(({ name }) => name).join(', ')
  const missing = wanted.startsWith(EXTERNAL_AGENT) ? ' Whose program is not there: holdfast agents external list' : ''
  throw new CliError('E_AGENT', 2, `There is no agent ${wanted}. There are: ${names}.${missing}`)
}

function lineOf({ id, name, origin, settings, description }: AgentRow): string {
  const words = [name, id, origin, settings.modelId ?? '', description]
  return words
    .filter((word) => word !== '')
    .map((word) => plainText(word).replace(/\s+/g, ' '))
    .join('  ')
}
