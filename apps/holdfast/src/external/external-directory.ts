import { type AgentTest, type ExternalAgent, KNOWN_AGENTS, knownAgent } from '@holdfast/external-agent'
import { EXTERNAL_AGENT_LIMITS, type ExternalAgentRow, type ExternalAgentTest } from '@holdfast/protocol'
import { type ExternalAgentDirectory, RefusedError } from '@holdfast/server'
import * as z from 'zod'
import { isOnPath } from './on-path.ts'
import type { ExternalValue, StoredExternal, StoredExternals } from './stored-externals.ts'

/** What the directory needs. */
export interface ExternalDirectoryDeps {
  readonly stored: StoredExternals
  /** Those of the operator's file, which stand above what is stored and what is known. */
  readonly ofFile: readonly ExternalAgent[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly test: (agent: ExternalAgent, signal: AbortSignal) => Promise<AgentTest>
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/** The directory, which takes over what others have stored. */
export interface RunningExternals extends ExternalAgentDirectory {
  /** Those whose programs are there; one that was not changed is the same object each time. */
  installed(): readonly ExternalAgent[]
  /** Values of variables that no line of the log may hold. [SEC4] */
  secrets(): readonly string[]
  refresh(): Promise<void>
}

/** One agent and where it is set up. */
interface Known {
  readonly agent: ExternalAgent
  readonly source: ExternalAgentRow['source']
  /** What a person set of its variables; null where that cannot be read. */
  readonly ownEnv: ExternalAgent['env'] | null
  readonly revision: number | null
}

/** Puts what is known, what the file says and what is stored together: the file above the store, both above what is known. [AGENT45] */
export function createExternalDirectory(deps: ExternalDirectoryDeps): RunningExternals {
  const { stored, ofFile, environment, warn } = deps
  const rows = new Map<string, StoredExternal>()
  const idsOfFile = new Set(ofFile.map(({ id }) => id))
  const protocolVersions = new Map<string, number>()
  let known: readonly Known[] = together()

  function together(): readonly Known[] {
    const file = ofFile.map((agent): Known => {
      return { agent: beyondKnown(agent), source: 'file', ownEnv: agent.env, revision: null }
    })
    const byName = [...rows.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    const added = byName.map((row): Known => {
      const { id, name, command, args, env, revision } = row
      return {
        agent: beyondKnown({ id, name, command, args, env: env ?? {} }),
        source: 'stored',
        ownEnv: env,
        revision,
      }
    })
    const own = [...file, ...added]
    const asKnown = KNOWN_AGENTS.map((agent): Known => {
      return own.find((one) => one.agent.id === agent.id) ?? { agent, source: 'known', ownEnv: {}, revision: null }
    })
    return [...asKnown, ...own.filter(({ agent }) => knownAgent(agent.id) === null)]
  }

  function isThere({ agent, ownEnv }: Known): boolean {
    return ownEnv !== null && isOnPath(agent.command, agent.env['PATH'] ?? environment['PATH'] ?? '')
  }

  function find(id: string): Known {
    const one = known.find(({ agent }) => agent.id === id)
    if (one) return one
    const ids = known.map(({ agent }) => agent.id).join(', ')
    throw new RefusedError(404, 'not-found', `There is no external agent ${id}; there are: ${ids}`)
  }

  function rowOf(one: Known): ExternalAgentRow {
    const { agent, source, ownEnv, revision } = one
    const { id, name, command, args } = agent
    const protocolVersion = protocolVersions.get(id)
    return {
      id,
      name,
      command,
      args: [...args],
      env: Object.fromEntries(Object.entries(ownEnv ?? {}).map(([variable, value]) => [variable, endingOf(value)])),
      isKnown: knownAgent(id) !== null,
      isInstalled: isThere(one),
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
      install: knownAgent(id)?.install ?? null,
      source,
      revision,
      problem: ownEnv === null ? 'Its variables were sealed with another key file; give them again' : null,
    }
  }

  /** What cannot be read is left out, and people see why. */
  function takeOver(row: StoredExternal): void {
    rows.set(row.id, row)
    protocolVersions.delete(row.id)
    if (row.env === null) warn('the variables of an external agent cannot be read with this key file', { id: row.id })
    known = together()
  }

  function storedOne(id: string): StoredExternal {
    const row = rows.get(id)
    if (row) return row
    const { source } = find(id)
    const words = {
      known: 'is known by itself; add an agent with its id to start it in another way',
      file: 'stands in the configuration file; change it there',
      stored: 'is not stored',
    }[source]
    throw new RefusedError(409, 'conflict', `External agent ${id} ${words}`)
  }

  async function write(value: ExternalValue): Promise<ExternalAgentRow> {
    const row = await stored.put(value)
    takeOver(row)
    return rowOf(find(row.id))
  }

  function hidden(text: string, { agent }: Known): string {
    return secretsOf(agent.env).reduce((left, secret) => left.replaceAll(secret, '…'), text)
  }

  return {
    list: () => known.map(rowOf),
    installed: () => known.filter(isThere).map(({ agent }) => agent),
    secrets: () => known.flatMap(({ ownEnv }) => secretsOf(ownEnv ?? {})),
    async add({ id, name, command, args, env }) {
      const taken = new Set(known.flatMap(({ agent, source }) => (source === 'known' ? [] : agent.id)))
      const newId = id ?? freeId(name, new Set(known.map(({ agent }) => agent.id)))
      if (taken.has(newId))
        throw new RefusedError(409, 'conflict', `There is an external agent ${newId} already; give this one another id`)
      if (rows.size >= EXTERNAL_AGENT_LIMITS.addedCount)
        throw new RefusedError(
          409,
          'too-many-agents',
          `There are ${rows.size} external agents; remove one before another is added`,
        )
      return write({ id: newId, revision: 0, name, command, args: args ?? [], env: env ?? {} })
    },
    async change(id, { revision, name, command, args, env }) {
      const row = storedOne(id)
      const next = Object.entries({ ...row.env, ...env }).filter((pair): pair is [string, string] => pair[1] !== null)
      if (next.length > EXTERNAL_AGENT_LIMITS.variableCount)
        throw new RefusedError(
          422,
          'bad-request',
          `env has ${next.length} variables; ${EXTERNAL_AGENT_LIMITS.variableCount} are taken`,
        )
      return write({
        id,
        revision,
        name: name ?? row.name,
        command: command ?? row.command,
        args: args ?? row.args,
        env: Object.fromEntries(next),
      })
    },
    async remove(id) {
      storedOne(id)
      await stored.remove(id)
      rows.delete(id)
      protocolVersions.delete(id)
      known = together()
    },
    async test(id, signal) {
      const one = find(id)
      const { problem } = rowOf(one)
      if (problem !== null) throw new RefusedError(409, 'conflict', `${one.agent.name}: ${problem}`)
      const found = await deps.test(one.agent, signal)
      if (found.type === 'works') protocolVersions.set(id, found.protocolVersion)
      return toAnswer(found, (text) => hidden(text, one))
    },
    async refresh() {
      const now = (await stored.list()).filter(({ id }) => !idsOfFile.has(id))
      const gone = [...rows.keys()].filter((id) => !now.some((row) => row.id === id))
      for (const id of gone) rows.delete(id)
      if (gone.length > 0) known = together()
      for (const row of now) if (rows.get(row.id)?.revision !== row.revision) takeOver(row)
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

function toAnswer(found: AgentTest, hidden: (text: string) => string): ExternalAgentTest {
  const signIns = found.signIns.map(hidden)
  switch (found.type) {
    case 'works': {
      const { type, protocolVersion, version, modes, askMode, tookMs } = found
      return { type, protocolVersion, version, modes: [...modes], askMode, signIns, tookMs }
    }
    case 'fails':
      return { type: found.type, code: found.code, text: hidden(found.text), signIns }
  }
}

/** Shorter values are words such as `1` and `true`, and stand everywhere. */
const LEAST_SECRET = 12

function secretsOf(env: ExternalAgent['env']): readonly string[] {
  return Object.values(env).filter((value) => value.length >= LEAST_SECRET)
}

/** A short value shows nothing of itself. */
function endingOf(value: string): string | null {
  return value.length < LEAST_SECRET ? null : value.slice(-4)
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  const letters = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
  const plain = letters.replaceAll(/^-+|-+$/g, '').slice(0, 36) || 'agent'
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? plain : `${plain}-${count}`
    if (!taken.has(id)) return id
  }
}
