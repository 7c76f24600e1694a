import { type ExternalAgent, KNOWN_AGENTS, knownAgent } from '@holdfast/external-agent'
import type { ExternalAgentRow } from '@holdfast/protocol'
import * as z from 'zod'
import { isOnPath } from './on-path.ts'
import type { StoredExternal } from './stored-externals.ts'

/** One agent and where it is set up. */
export interface ListedAgent {
  readonly agent: ExternalAgent
  readonly source: ExternalAgentRow['source']
  /** What a person set of its variables; null where that cannot be read. */
  readonly ownEnv: ExternalAgent['env'] | null
  readonly revision: number | null
}

/** Which external agents there are: the operator's file stands above what is stored, and both above what is known. [AGENT45] */
export interface AgentBook {
  all(): readonly ListedAgent[]
  find(id: string): ListedAgent | null
  /** What is stored, by its id. */
  readonly stored: ReadonlyMap<string, StoredExternal>
  put(row: StoredExternal): void
  drop(id: string): void
  /** Whether its program is there, and its variables can be read. */
  isThere(one: ListedAgent): boolean
  /** `isThere` as it was at most a second ago: a turn asks for the agents several times, and each look is at every folder of the PATH. */
  wasThere(one: ListedAgent): boolean
}

/** So long what was seen counts for `wasThere`, in milliseconds. */
const SEEN_MS = 1_000

/** Opens one, without what is stored. One that was not changed is the same object each time. */
export function createAgentBook(
  ofFile: readonly ExternalAgent[],
  environment: Readonly<Record<string, string | undefined>>,
): AgentBook {
  const stored = new Map<string, StoredExternal>()
  let listed = together()
  const seen = new WeakMap<ListedAgent, { readonly isThere: boolean; readonly at: number }>()

  function together(): readonly ListedAgent[] {
    const file = ofFile.map((agent): ListedAgent => {
      return { agent: beyondKnown(agent), source: 'file', ownEnv: agent.env, revision: null }
    })
    const byName = [...stored.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    const own = [...file, ...byName.map(listedOf)]
    const asKnown = KNOWN_AGENTS.map((agent): ListedAgent => {
      return own.find((one) => one.agent.id === agent.id) ?? { agent, source: 'known', ownEnv: {}, revision: null }
    })
    return [...asKnown, ...own.filter(({ agent }) => knownAgent(agent.id) === null)]
  }

  /** What is stored stays the object that it was as long as nobody changes it. */
  function listedOf({ revision, env, ...row }: StoredExternal): ListedAgent {
    const before = listed.find(({ agent }) => agent.id === row.id)
    if (before?.source === 'stored' && before.revision === revision) return before
    return { agent: beyondKnown({ ...row, env: env ?? {} }), source: 'stored', ownEnv: env, revision }
  }

  function look(one: ListedAgent): boolean {
    const { agent, ownEnv } = one
    const isThere = ownEnv !== null && isOnPath(agent.command, agent.env['PATH'] ?? environment['PATH'] ?? '')
    seen.set(one, { isThere, at: performance.now() })
    return isThere
  }

  return {
    stored,
    all: () => listed,
    find: (id) => listed.find(({ agent }) => agent.id === id) ?? null,
    put(row) {
      stored.set(row.id, row)
      listed = together()
    },
    drop(id) {
      if (stored.delete(id)) listed = together()
    },
    isThere: look,
    wasThere(one) {
      const before = seen.get(one)
      return before && performance.now() - before.at < SEEN_MS ? before.isThere : look(one)
    },
  }
}

/** A known agent keeps what holds it in the mode that asks, whoever starts it in another way. [AGENT6] */
function beyondKnown(agent: ExternalAgent): ExternalAgent {
  const asKnown = knownAgent(agent.id)?.env ?? {}
  const both = Object.entries(asKnown).map(([name, value]) => [name, beyond(agent.env[name], value)])
  return { ...agent, env: { ...agent.env, ...Object.fromEntries(both) } }
}

/** A configuration that is a variable is taken over but for what holds the agent in the mode that asks. */
function beyond(own: string | undefined, known: string): string {
  const [ownFields, knownFields] = [fieldsOf(own), fieldsOf(known)]
  if (ownFields === null || knownFields === null) return own ?? known
  return JSON.stringify({ ...ownFields, ...knownFields })
}

function fieldsOf(text: string | undefined): object | null {
  try {
    return Fields.safeParse(JSON.parse(text ?? '')).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const Fields = z.looseObject({})
