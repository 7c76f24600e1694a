import { EXTERNAL_AGENT } from '@holdfast/conversation'
import type { OfferedAgent } from '@holdfast/engine'
import { sha256 } from '@holdfast/engine/system'
import { type ExternalAgent, externalModelId } from '@holdfast/external-agent'
import type { AgentRow } from '@holdfast/protocol'
import { type AgentDirectory, RefusedError } from '@holdfast/server'
import type { AgentProgram } from '@holdfast/workbench'

/** Which agents are programs here, and who may use them. */
export interface ExternalsOffered {
  readonly installed: () => readonly ExternalAgent[]
  readonly isAdmin: (userId: string) => boolean
}

/** A turn of an agent has as many calls as it makes: they are its own. */
const SETTINGS = { stepsPerRun: 10_000, identicalCalls: 1_000, callsPerStep: 1_000 } as const

/** The agents of people with those that are programs behind them; whoever may not run programs is shown none. [AGENT15] */
export function besideOwn(own: AgentDirectory, { installed, isAdmin }: ExternalsOffered): AgentDirectory {
  const meant = (userId: string, agentId: string): ExternalAgent | null =>
    isAdmin(userId) ? (installed().find(({ id }) => externalModelId(id) === agentId) ?? null) : null
  function refuseChange(userId: string, agentId: string): void {
    if (meant(userId, agentId) === null) return
    throw new RefusedError(403, 'forbidden', `Agent ${agentId} is a program of this machine and is not changed here`)
  }
  return {
    ...own,
    async rows(asker) {
      const rows = await own.rows(asker)
      return isAdmin(asker.userId) ? [...rows, ...toldApart(installed().map(rowOf), rows)] : rows
    },
    async read(asker, agentId) {
      const agent = meant(asker.userId, agentId)
      return agent === null ? own.read(asker, agentId) : rowOf(agent)
    },
    async readPicture(asker, agentId) {
      return meant(asker.userId, agentId) === null ? own.readPicture(asker, agentId) : null
    },
    async change(asker, agentId, change) {
      refuseChange(asker.userId, agentId)
      return own.change(asker, agentId, change)
    },
    async remove(asker, agentId) {
      refuseChange(asker.userId, agentId)
      return own.remove(asker, agentId)
    },
    async list(ownerId) {
      const listed = await own.list(ownerId)
      return isAdmin(ownerId) ? [...listed, ...installed().map(offeredOf)] : listed
    },
    async find(asked) {
      const agent = meant(asked.ownerId, asked.agentId)
      return agent === null ? own.find(asked) : offeredOf(agent)
    },
  }
}

/** An agent that is a program as tasks are handed to it. [AGENT57] */
export function programOf({ id, name, command, args, env }: ExternalAgent): AgentProgram {
  const modelId = externalModelId(id)
  const words = [command, ...args].join(' ')
  const started = JSON.stringify([command, args, Object.keys(env)])
  return { modelId, name, command: words, pinned: sha256(started).slice(0, 16), settings: { ...SETTINGS, modelId } }
}

function offeredOf({ id, name }: ExternalAgent): OfferedAgent {
  const modelId = externalModelId(id)
  const settings = { ...SETTINGS, modelId }
  return { agentId: modelId, name, avatar: null, version: 1, settings, origin: 'operator', sharedBy: null }
}

/** Those whose name another one has too are listed with their id behind it. [AGENT72] */
function toldApart(programs: readonly AgentRow[], others: readonly AgentRow[]): readonly AgentRow[] {
  const count = new Map<string, number>()
  for (const { name } of [...programs, ...others]) count.set(sameAs(name), (count.get(sameAs(name)) ?? 0) + 1)
  return programs.map((row) =>
    count.get(sameAs(row.name)) === 1 ? row : { ...row, name: `${row.name} (${row.id.slice(EXTERNAL_AGENT.length)})` },
  )
}

function sameAs(name: string): string {
  return name.trim().toLowerCase()
}

function rowOf({ id, name, command }: ExternalAgent): AgentRow {
  const modelId = externalModelId(id)
  return {
    id: modelId,
    name,
    version: 1,
    avatar: null,
    picture: null,
    settings: { ...SETTINGS, modelId },
    presetId: null,
    starters: [],
    updatedAt: 0,
    description: `The program ${command} of this machine, with its own model and tools.`,
    origin: 'file',
    sharing: null,
    sharedBy: null,
    accepted: true,
    canChange: false,
    voice: null,
  }
}
