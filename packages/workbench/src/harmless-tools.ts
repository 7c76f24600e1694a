import type { PermissionRule } from '@holdfast/tool'
import { CANVAS_TOOL_NAMES } from '@holdfast/toolbox'
import { SCHEDULE_TOOL } from './schedule-tool.ts'

/**
 * Tools that read the conversation itself, draw on its canvas, or remember what the person can read and delete: asking
 * about them protects nobody. Whoever proposes a schedule asks by that. Forgetting asks, and so does remembering once words of strangers came in. [PERM7]
 */
const NAMES = [
  'todo',
  'read_result',
  'find_tools',
  'memory_save',
  'memory_search',
  'memory_list',
  SCHEDULE_TOOL,
  ...CANVAS_TOOL_NAMES,
]

/** Permission rules that let run what needs no person's answer; they belong behind the operator's own. [PERM7] */
export const HARMLESS_TOOLS: readonly (PermissionRule & { readonly id: string })[] = NAMES.map((tool) => ({
  id: `built-in:${tool}`,
  effect: 'allow',
  tool,
}))
