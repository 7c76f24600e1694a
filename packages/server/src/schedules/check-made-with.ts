import type { AgentSource, PresetSource } from '@holdfast/engine'
import { RefusedError } from '../parts/to-problem.ts'
import type { StoredSchedule } from './schedule-record.ts'

/** What there is that runs of schedules can be made with. */
export interface MadeWithParts {
  readonly models: () => readonly { readonly modelId: string }[]
  readonly agents: Pick<AgentSource, 'find'>
  readonly presets: PresetSource
  /** Whether a person may use this workspace. [WS6] */
  readonly hasWorkspace: (query: { readonly workspaceId: string; readonly userId: string }) => boolean
}

/** What runs are made with; what is absent or null is as usual. */
export type MadeWith = {
  readonly [Key in keyof Pick<StoredSchedule, 'agentId' | 'modelId' | 'workspaceId' | 'presetId'>]?: string | null
}

/** Refuses what is not there now, by the name of its field. What goes later is said by the run. [SCHED25] @throws {RefusedError} */
export async function checkMadeWith(
  { models, agents, presets, hasWorkspace }: MadeWithParts,
  userId: string,
  { agentId, modelId, workspaceId, presetId }: MadeWith,
): Promise<void> {
  if (isNamed(modelId) && !models().some((model) => model.modelId === modelId))
    throw new RefusedError(422, 'unknown-model', `modelId: There is no model ${modelId}`)
  if (isNamed(agentId) && !(await agents.find({ ownerId: userId, agentId })))
    throw new RefusedError(422, 'unknown-agent', `agentId: There is no agent ${agentId}, or it is not yours to use`)
  if (isNamed(workspaceId) && !hasWorkspace({ workspaceId, userId }))
    throw new RefusedError(
      422,
      'unknown-workspace',
      `workspaceId: There is no workspace ${workspaceId}, or it is not open to you`,
    )
  if (isNamed(presetId) && !(await presets.find({ ownerId: userId, presetId })))
    throw new RefusedError(422, 'unknown-preset', `presetId: There is no preset ${presetId}`)
}

function isNamed(id: string | null | undefined): id is string {
  return id !== undefined && id !== null
}
