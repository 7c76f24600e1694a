import type { AgentSettings, Records, Settings } from '@holdfast/conversation'
import { contradictionOf, type ModelChoice } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import {
  type AgentDirectory,
  type AgentDirectoryDeps,
  createAgentDirectory,
  createPresetDirectory,
  type PresetDirectory,
} from '@holdfast/server'
import type { Machine } from '@holdfast/toolbox'
import type { Config } from './config.ts'
import { sandboxWorks } from './tools/find-shell.ts'

/** What agents and presets are kept with. */
export interface AgentPorts {
  readonly records: Records
  readonly people: AgentDirectoryDeps['people']
  readonly models: () => readonly ModelChoice[]
  readonly settings: () => Settings
  readonly machine: () => Machine | null
}

/** The agents that people may choose, and the presets that conversations begin with. */
export function openAgents(
  config: Pick<Config, 'agents'>,
  { records, people, models, settings, machine }: AgentPorts,
): { readonly agents: AgentDirectory; readonly presets: PresetDirectory } {
  const base = { records, clock: systemClock, ids: systemIds }
  const contradiction = (own: AgentSettings) => {
    const facts = models().find(({ modelId }) => modelId === own.modelId)?.facts ?? null
    return contradictionOf(settings(), { own, changed: Object.keys(own), facts })
  }
  const presets = createPresetDirectory({
    ...base,
    contradiction: ({ place: _, ...own }) => contradiction(own),
    hasSandbox: () => sandboxWorks(machine()),
  })
  return { presets, agents: createAgentDirectory({ ...base, fromFile: config.agents, people, presets, contradiction }) }
}
