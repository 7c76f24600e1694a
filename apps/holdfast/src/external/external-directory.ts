import { type AgentTest, type ExternalAgent, knownAgent } from '@holdfast/external-agent'
import {
  EXTERNAL_AGENT_LIMITS,
  type ExternalAgentChoices,
  type ExternalAgentRow,
  type ExternalAgentTest,
} from '@holdfast/protocol'
import { type ExternalAgentDirectory, RefusedError } from '@holdfast/server'
import { createAgentBook, type ListedAgent } from './agent-book.ts'
import type { ChoicesOf } from './offered-choices.ts'
import type { ExternalValue, StoredExternal, StoredExternals } from './stored-externals.ts'

/** What the directory needs. */
export interface ExternalDirectoryDeps {
  readonly stored: StoredExternals
  /** Those of the operator's file, which stand above what is stored and what is known. */
  readonly ofFile: readonly ExternalAgent[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly test: (agent: ExternalAgent, signal: AbortSignal) => Promise<AgentTest>
  readonly choices: (asked: ChoicesOf) => Promise<ExternalAgentChoices>
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/** The directory, which takes over what others have stored. */
export interface RunningExternals extends ExternalAgentDirectory {
  /** Those whose programs are there, or were a second ago; one that was not changed is the same object each time. */
  installed(): readonly ExternalAgent[]
  /** Values of variables that no line of the log may hold. [SEC4] */
  secrets(): readonly string[]
  refresh(): Promise<void>
}

/** Puts the operator's file, what is stored and what is known together. [AGENT45] */
export function createExternalDirectory(deps: ExternalDirectoryDeps): RunningExternals {
  const { stored, ofFile, environment, warn } = deps
  const idsOfFile = new Set(ofFile.map(({ id }) => id))
  const book = createAgentBook(ofFile, environment)
  /** As tests found them. */
  const protocolVersions = new Map<string, number>()

  function find(id: string): ListedAgent {
    const one = book.find(id)
    if (one) return one
    const ids = book.all().map(({ agent }) => agent.id)
    throw new RefusedError(404, 'not-found', `There is no external agent ${id}; there are: ${ids.join(', ')}`)
  }

  function rowOf(one: ListedAgent): ExternalAgentRow {
    const protocolVersion = protocolVersions.get(one.agent.id)
    const isInstalled = book.isThere(one)
    return { ...plainRow(one), isInstalled, ...(protocolVersion === undefined ? {} : { protocolVersion }) }
  }

  /** What cannot be read is left out, and people see why. */
  function takeOver(row: StoredExternal): void {
    book.put(row)
    protocolVersions.delete(row.id)
    if (row.env === null) warn('the variables of an external agent cannot be read with this key file', { id: row.id })
  }

  function storedOne(id: string): StoredExternal {
    const row = book.stored.get(id)
    if (row) return row
    const { source } = find(id)
    const words = {
      known: 'is known by itself; add an agent with its id to start it in another way',
      file: 'stands in the configuration file; change it there',
      stored: 'is not stored',
    }[source]
    throw new RefusedError(409, 'conflict', `External agent ${id} ${words}`)
  }

  /** @throws {RefusedError} for one that is not there, or whose variables cannot be read. */
  function readable(id: string): ExternalAgent {
    const one = find(id)
    const { problem } = rowOf(one)
    if (problem !== null) throw new RefusedError(409, 'conflict', `${one.agent.name}: ${problem}`)
    return one.agent
  }

  async function write(value: ExternalValue): Promise<ExternalAgentRow> {
    const row = await stored.put(value)
    takeOver(row)
    return rowOf(find(row.id))
  }

  return {
    list: () => book.all().map(rowOf),
    installed: () =>
      book
        .all()
        .filter(book.wasThere)
        .map(({ agent }) => agent),
    secrets: () => book.all().flatMap(({ ownEnv }) => secretsOf(ownEnv ?? {})),
    async add({ id, name, command, args, env }) {
      const newId = id ?? freeId(name, new Set(book.all().map(({ agent }) => agent.id)))
      if ((book.find(newId)?.source ?? 'known') !== 'known')
        throw new RefusedError(409, 'conflict', `There is an external agent ${newId} already; give this one another id`)
      if (book.stored.size >= EXTERNAL_AGENT_LIMITS.addedCount)
        throw new RefusedError(
          409,
          'too-many-agents',
          `There are ${book.stored.size} external agents; remove one before another is added`,
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
      book.drop(id)
      protocolVersions.delete(id)
    },
    choices: async (id, asked) => deps.choices({ agent: readable(id), ...asked }),
    async test(id, signal) {
      const found = await deps.test(readable(id), signal)
      if (found.type === 'works') protocolVersions.set(id, found.protocolVersion)
      return toAnswer(found)
    },
    async refresh() {
      const now = (await stored.list()).filter(({ id }) => !idsOfFile.has(id))
      const gone = [...book.stored.keys()].filter((id) => !now.some((row) => row.id === id))
      for (const id of gone) book.drop(id)
      for (const row of now) if (book.stored.get(row.id)?.revision !== row.revision) takeOver(row)
    },
  }
}

function plainRow({ agent, source, ownEnv, revision }: ListedAgent): Omit<ExternalAgentRow, 'isInstalled'> {
  const { id, name, command, args } = agent
  return {
    id,
    name,
    command,
    args: [...args],
    env: Object.fromEntries(Object.entries(ownEnv ?? {}).map(([variable, value]) => [variable, endingOf(value)])),
    isKnown: knownAgent(id) !== null,
    install: knownAgent(id)?.install ?? null,
    source,
    revision,
    problem: ownEnv === null ? 'Its variables were sealed with another key file; give them again' : null,
  }
}

function toAnswer(found: AgentTest): ExternalAgentTest {
  const signIns = [...found.signIns]
  switch (found.type) {
    case 'works': {
      const { type, protocolVersion, version, modes, askMode, tookMs } = found
      return {
        type,
        protocolVersion,
        version,
        modes: modes.map(({ id, name }) => ({ id, name })),
        askMode,
        signIns,
        tookMs,
      }
    }
    case 'fails':
      return { type: found.type, code: found.code, text: found.text, signIns }
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
  const words = name
    .toLowerCase()
    .normalize('NFKD')
    .match(/[a-z0-9]+/g) ?? ['agent']
  const plain = words.join('-').slice(0, 36)
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? plain : `${plain}-${count}`
    if (!taken.has(id)) return id
  }
}
