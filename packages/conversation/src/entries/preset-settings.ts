import * as z from 'zod'
import { AgentSettings } from './agent-entries.ts'

/** Where a conversation begins to work: in the folder itself, in a worktree of its own, or as the person answers. [WS7] */
export const FirstPlace = z.enum(['in-place', 'worktree', 'ask'])
export type FirstPlace = z.infer<typeof FirstPlace>

/** What a preset sets when a conversation begins with it. [WS33] */
export const PresetSettings = z.object({
  ...AgentSettings.shape,
  /** Absent: a worktree where git is and another conversation works in the folder. */
  place: FirstPlace.exactOptional(),
})
export type PresetSettings = z.infer<typeof PresetSettings>
