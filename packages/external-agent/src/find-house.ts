import type { FindHouse, HouseHabits } from './house-calls.ts'
import { HOUSE } from './house-name.ts'
import { type ExternalAgent, knownAgent } from './known-agents.ts'

/** Before an agent gives a call up, a person's question about it is taken back so long, in milliseconds. */
const AHEAD_MS = 60_000

/** How an agent calls the house tools with these names. */
export function houseHabitsOf(agent: Pick<ExternalAgent, 'id'>, names: () => readonly string[]): HouseHabits {
  const limitMs = knownAgent(agent.id)?.houseLimitMs ?? null
  return { find: createFindHouse(agent, names), limitMs: limitMs === null ? null : limitMs - AHEAD_MS }
}

/**
 * Finds house tools in what an agent tells of its calls. Agents name them each in another way, with the server's name and
 * the tool's; only the way of a known agent is sure, for what others have for a title a model may have written. [AGENT42]
 */
function createFindHouse({ id }: Pick<ExternalAgent, 'id'>, names: () => readonly string[]): FindHouse {
  const { houseTitle: titleOf = null, houseInput = null } = knownAgent(id) ?? {}
  return ({ toolCallId, title, kind, rawInput: input }) => {
    const made = houseInput?.(input) ?? null
    if (made !== null && names().includes(made.name)) return { ...made, isSure: true }
    if (kind !== 'other') return null
    const sure = titleOf === null ? undefined : names().find((name) => title === titleOf(name))
    if (sure !== undefined) return { name: sure, input, isSure: true }
    const told = `${toolCallId} ${title}`.toLowerCase()
    if (!told.includes(HOUSE)) return null
    const name = names().find((one) => told.split(/[^a-z_]+/).some((word) => isNamed(word, one)))
    return name === undefined ? null : { name, input, isSure: false }
  }
}

/** With or without what stands before it: `holdfast_canvas_add_card`, `mcp__holdfast__canvas_add_card`. */
function isNamed(word: string, name: string): boolean {
  return word === name || word.endsWith(`_${name}`)
}
