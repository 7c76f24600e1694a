import { type AgentInUse, DEFAULT_AGENT, type NewEntry, narrowerMode } from '@holdfast/conversation'
import type { AgentNote } from '../api/agent-note.ts'
import type { OfferedAgent } from '../api/agent-source.ts'
import type { CommandBase } from '../api/command-base.ts'
import type { EnginePorts } from '../api/ports.ts'
import { unknownAgent } from '../api/refused-command-error.ts'
import { checkModel } from '../chosen/check-model.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { LiveLog } from '../log/live-log.ts'

/** The agent that answers where none is chosen. */
const PLAIN_AGENT: AgentInUse = {
  ...DEFAULT_AGENT,
  avatar: null,
  version: null,
  settings: {},
}

/**
 * An agent as a conversation of this person takes it: what another person set never permits more than the installation
 * does by itself. [AGENT4, PERM1]
 *
 * @returns null when there is none that this person may use.
 */
async function chosenAgent(
  { agents, permissions }: Pick<EnginePorts, 'agents' | 'permissions'>,
  asked: { readonly ownerId: string; readonly agentId: string },
): Promise<AgentInUse | null> {
  if (asked.agentId === DEFAULT_AGENT.agentId) return PLAIN_AGENT
  const found = await agents?.find(asked)
  return found ? takenAgent(found, permissions.mode) : null
}

/**
 * Finds an agent, with its model checked: what is chosen can answer.
 *
 * @throws {RefusedCommandError}
 */
export async function agentToTake(
  ports: Pick<EnginePorts, 'agents' | 'permissions' | 'models'>,
  asked: { readonly ownerId: string; readonly agentId: string },
): Promise<AgentInUse> {
  const agent = await chosenAgent(ports, asked)
  if (agent === null) throw unknownAgent(asked.agentId)
  const { modelId } = agent.settings
  if (modelId !== undefined) checkModel(ports, modelId)
  return agent
}

/** What of an offered agent holds for the person who chose it. */
export function takenAgent(
  { origin, sharedBy, preset: _, ...agent }: OfferedAgent,
  mode: EnginePorts['permissions']['mode'],
): AgentInUse {
  const { permissionMode } = agent.settings
  if (origin !== 'shared' || permissionMode === undefined) return agent
  return { ...agent, settings: { ...agent.settings, permissionMode: narrowerMode(permissionMode, mode) } }
}

/** The entry by which an agent answers from here on. */
export function switchEntry(
  { agentId, name, avatar, version, settings }: AgentInUse,
  { actor, commandId }: Pick<CommandBase, 'actor' | 'commandId'>,
): NewEntry {
  return {
    type: 'agent-switched',
    actor,
    commandId,
    agentId,
    agentName: name,
    settings,
    ...(avatar === null ? {} : { avatar }),
    ...(version === null ? {} : { version }),
  }
}

/** Whether choosing an agent again would change nothing. */
export function isSameAgent(one: AgentInUse | null, other: AgentInUse): boolean {
  const known = one ?? PLAIN_AGENT
  return known.agentId === other.agentId && known.version === other.version
}

/** Writes down what an external agent did beside its answers: a fact of the process that it runs in, whoever has the lease. [AGENT1, AGENT6] */
export async function noteAgent(log: LiveLog, { note }: AgentNote): Promise<void> {
  await log.append({ epoch: null, command: null, dropDraft: null }, ({ head }) => (head === 0 ? [] : [entryOf(note)]))
}

function entryOf(note: AgentNote['note']): NewEntry {
  switch (note.type) {
    case 'attached': {
      const { agentId, sessionId, isMetered } = note
      return { type: 'agent-attached', actor: ENGINE, agentId, sessionId, isMetered }
    }
    case 'detached':
      return { type: 'agent-detached', actor: ENGINE, agentId: note.agentId, reason: note.reason }
    case 'notice': {
      const { code, severity, text } = note
      return { type: 'notice-raised', actor: ENGINE, code, severity, text }
    }
  }
}
