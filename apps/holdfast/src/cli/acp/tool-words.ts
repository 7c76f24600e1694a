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

/** The files that a call is about. */
export function locationsOf(input: unknown, cwd: string): ToolCallLocation[] {
  const known = Known.safeParse(input)
  if (!known.success) return []
  const { path, from, to, from_line: line } = known.data
  const paths = [path, from, to].filter((one) => one !== undefined)
  return paths.map((one) => ({ path: absolute(one, cwd), ...(line === undefined ? {} : { line }) }))
}

const Edit = z.object({ path: z.string(), old_text: z.string(), new_text: z.string() })
const Write = z.object({ path: z.string(), content: z.string() })

/** What a call changes in a file, as its input says it. */
export function diffOf(name: string, input: unknown, cwd: string): ToolCallContent[] {
  const edit = name === 'edit' ? Edit.safeParse(input).data : undefined
  if (edit) return [{ type: 'diff', path: absolute(edit.path, cwd), oldText: edit.old_text, newText: edit.new_text }]
  const write = name === 'write' ? Write.safeParse(input).data : undefined
  return write ? [{ type: 'diff', path: absolute(write.path, cwd), newText: write.content }] : []
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

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : join(cwd, path)
}
