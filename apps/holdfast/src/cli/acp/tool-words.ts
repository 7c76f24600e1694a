import { isAbsolute, join } from 'node:path'
import type { PlanEntry, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk/unstable'
import * as z from 'zod'

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  list: 'read',
  glob: 'search',
  search: 'search',
  repository_map: 'search',
  edit: 'edit',
  write: 'edit',
  move: 'move',
  delete: 'delete',
  shell: 'execute',
  process_output: 'read',
  process_stop: 'execute',
  fetch_page: 'fetch',
  todo: 'think',
  // What an agent that is a program does with its own tools. [AGENT1]
  agent_read: 'read',
  agent_search: 'search',
  agent_edit: 'edit',
  agent_move: 'move',
  agent_delete: 'delete',
  agent_execute: 'execute',
  agent_fetch: 'fetch',
  agent_think: 'think',
}

/** What an editor shows a call as. */
export function kindOf(name: string): ToolKind {
  return KINDS[name] ?? 'other'
}

const Known = z
  .object({
    path: z.string(),
    from: z.string(),
    to: z.string(),
    command: z.string(),
    query: z.string(),
    pattern: z.string(),
    url: z.string(),
    from_line: z.number(),
  })
  .partial()

/** One line for a person. */
export function titleOf(name: string, input: unknown): string {
  const known = Known.safeParse(input)
  if (!known.success) return name
  const { path, from, to, command, query, pattern, url } = known.data
  const about = command ?? path ?? query ?? pattern ?? url ?? (from === undefined ? null : `${from} → ${to ?? ''}`)
  return about === null ? name : `${name} ${about.split('\n')[0]?.slice(0, 200) ?? ''}`
}

/** The files that a call is about. `cwd` is the folder of its conversation; null where an editor does not know it: then paths that are whole count. */
export function locationsOf(input: unknown, cwd: string | null): ToolCallLocation[] {
  const known = Known.safeParse(input)
  if (!known.success) return []
  const { path, from, to, from_line: line } = known.data
  return [path, from, to]
    .flatMap((one) => whole(one, cwd))
    .map((one) => ({ path: one, ...(line === undefined ? {} : { line }) }))
}

const Edit = z.object({ path: z.string(), old_text: z.string(), new_text: z.string() })
const AgentEdit = z.object({ path: z.string(), oldText: z.string(), newText: z.string() })
const Write = z.object({ path: z.string(), content: z.string() })

/** What a call changes in a file, as its input says it; nothing of a file whose place is not known. */
export function diffOf(name: string, input: unknown, cwd: string | null): ToolCallContent[] {
  const change = changeIn(name, input)
  if (change === null) return []
  return whole(change.path, cwd).map((path) => ({ type: 'diff', ...change.texts, path }))
}

function changeIn(
  name: string,
  input: unknown,
): { readonly path: string; readonly texts: { readonly oldText?: string; readonly newText: string } } | null {
  const edit = name === 'edit' ? Edit.safeParse(input).data : undefined
  if (edit) return { path: edit.path, texts: { oldText: edit.old_text, newText: edit.new_text } }
  const byAgent = name === 'agent_edit' ? AgentEdit.safeParse(input).data : undefined
  if (byAgent) return { path: byAgent.path, texts: { oldText: byAgent.oldText, newText: byAgent.newText } }
  const write = name === 'write' || name === 'agent_edit' ? Write.safeParse(input).data : undefined
  return write ? { path: write.path, texts: { newText: write.content } } : null
}

const Tasks = z.object({
  tasks: z.array(z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) })),
})

const STATUS = { open: 'pending', doing: 'in_progress', done: 'completed' } as const

/** The plan that a list of tasks is; null for a call of another tool. */
export function planOf(name: string, input: unknown): PlanEntry[] | null {
  const list = name === 'todo' ? Tasks.safeParse(input).data : undefined
  if (!list) return null
  return list.tasks.map(({ text, state }) => ({ content: text, priority: 'medium', status: STATUS[state] }))
}

function whole(path: string | undefined, cwd: string | null): readonly string[] {
  if (path === undefined) return []
  if (isAbsolute(path)) return [path]
  return cwd === null ? [] : [join(cwd, path)]
}
