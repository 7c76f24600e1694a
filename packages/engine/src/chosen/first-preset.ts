import { type AgentInUse, type AgentSettings, type NewEntry, narrowerMode } from '@holdfast/conversation'
import type { CommandBase, CreateConversation } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import type { OfferedPreset } from '../api/preset-source.ts'
import { unknownPreset } from '../api/refused-command-error.ts'

/** A preset with what it sets in one conversation. */
export interface TakenPreset {
  readonly presetId: string
  readonly name: string
  readonly changes: AgentSettings
}

/**
 * What a conversation begins with: the preset that is chosen, else the one that its agent carries; null for none. A chosen
 * one stands above the agent, whose instructions it follows; one that the agent carries sets what the agent does not. [WS33]
 *
 * @throws {RefusedCommandError} for a preset that is not there.
 */
export async function firstPreset(
  ports: EnginePorts,
  { command, agent }: { readonly command: CreateConversation; readonly agent: AgentInUse | null },
): Promise<TakenPreset | null> {
  const { ownerId, presetId, agentId } = command
  return presetId === undefined
    ? withoutOwn(agentId === undefined ? null : await carried(ports, { ownerId, agentId }), agent)
    : besideAgent(await chosen(ports, { ownerId, presetId }), agent)
}

/** The entry that says what a preset set. A later change of the preset changes nothing in this log. [WS33] */
export function presetEntry(
  { presetId, name, changes }: TakenPreset,
  { actor, commandId }: Pick<CommandBase, 'actor' | 'commandId'>,
): NewEntry {
  return { type: 'settings-changed', actor, commandId, changes, preset: { presetId, name } }
}

async function chosen(
  { presets }: Pick<EnginePorts, 'presets'>,
  asked: { readonly ownerId: string; readonly presetId: string },
): Promise<OfferedPreset> {
  const found = await presets?.find(asked)
  if (found) return found
  throw unknownPreset(asked.presetId)
}

/** What another person's agent carries never permits more than the installation does by itself. [PERM1] */
async function carried(
  { agents, permissions }: Pick<EnginePorts, 'agents' | 'permissions'>,
  asked: { readonly ownerId: string; readonly agentId: string },
): Promise<OfferedPreset | null> {
  const found = await agents?.find(asked)
  if (!found?.preset) return null
  const { origin, preset } = found
  const { permissionMode } = preset.settings
  if (origin !== 'shared' || permissionMode === undefined) return preset
  const narrowed = narrowerMode(permissionMode, permissions.mode)
  return { ...preset, settings: { ...preset.settings, permissionMode: narrowed } }
}

function besideAgent({ presetId, name, settings }: OfferedPreset, agent: AgentInUse | null): TakenPreset {
  const { place: _, ...changes } = settings
  const both = [agent?.settings.instructions, changes.instructions].filter((text) => text !== undefined && text !== '')
  return { presetId, name, changes: both.length < 2 ? changes : { ...changes, instructions: both.join('\n\n') } }
}

function withoutOwn(preset: OfferedPreset | null, agent: AgentInUse | null): TakenPreset | null {
  if (preset === null) return null
  const { place: _, ...settings } = preset.settings
  const own = new Set(Object.keys(agent?.settings ?? {}))
  const changes = Object.fromEntries(Object.entries(settings).filter(([name]) => !own.has(name)))
  return { presetId: preset.presetId, name: preset.name, changes }
}
