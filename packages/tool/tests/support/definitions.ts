import type { ToolCategory } from '@holdfast/conversation'
import type { ToolDefinition } from '@holdfast/tool'

export const WORKSPACE = '/home/ann/proj'

function definition(name: string, category: ToolCategory, rest: Partial<ToolDefinition>): ToolDefinition {
  return { name, category, description: name, parameters: { type: 'object' }, ...rest }
}

/** Tools of each category, declared as the built-in ones are. */
export const TOOLS = {
  read: definition('read_file', 'read', { annotations: { readOnly: true } }),
  edit: definition('edit_file', 'edit', { annotations: { destructive: false } }),
  execute: definition('shell', 'execute', {}),
  network: definition('fetch', 'network', { annotations: { readOnly: true, openWorld: true } }),
  other: definition('note', 'other', {}),
} as const satisfies Record<ToolCategory, ToolDefinition>

export function shellCall(command: string) {
  return { name: 'shell', input: { command } }
}
