import type { Json } from '@holdfast/conversation'
import * as z from 'zod'
import type { CallContent } from './parts/agent-update.ts'
import { type ChangedText, changedText } from './parts/changed-text.ts'
import { foldersLeftBy } from './parts/left-folder.ts'
import { toldPath } from './parts/told-path.ts'
import type { AgentCall } from './prompt.ts'

/** What a call of an agent is about, as rules and people read it. */
export interface CallInput {
  readonly title: string
  readonly command?: string
  readonly path?: string
  /** All of them, where they are several. */
  readonly paths?: readonly string[]
  readonly url?: string
  /** What an edit of one file takes away and brings, with a few lines around it. [AGENT68] */
  readonly oldText?: string
  readonly newText?: string
  /** The edits of one call that are several. */
  readonly changes?: readonly ChangedText[]
  /** The whole text of a file that is written. */
  readonly content?: string
  /** What the agent gave its own tool, as far as it is not said above. */
  readonly input?: Json
}

/** The kinds of calls that agents tell apart, and what each does. */
export const CALL_KINDS = {
  read: 'read',
  search: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  execute: 'execute',
  fetch: 'network',
  think: 'other',
  switch_mode: 'other',
  leave_folder: 'other',
  other: 'other',
} as const

/** The name of the tool that stands for a call as it is now. */
export function toolNameOf(call: AgentCall): string {
  const { kind, permission } = asAsked(call)
  if (permission !== null && foldersLeftBy(permission.about) !== null) return 'agent_leave_folder'
  return kind in CALL_KINDS ? `agent_${kind}` : 'agent_other'
}

/** What a call is about, by what is known of it: where it asks, by what it asks about. Paths in the folder are told from there. */
export function inputOf(call: AgentCall, folder: string | null): CallInput {
  const left = call.permission === null ? null : foldersLeftBy(call.permission.about)
  const { title, kind, paths: told, content, rawInput } = asAsked(call)
  if (left !== null) {
    const wanted = textField(rawInput, ['filepath', 'command']) ?? title
    return { title: wanted, ...pathsIn(left) }
  }
  // Who tells no input (Gemini CLI) has the command line for a title: rules for commands hold for that. [AGENT6]
  const command = kind === 'execute' ? (textField(rawInput, ['command', 'cmd', 'script']) ?? named(title)) : null
  const url = kind === 'fetch' ? textField(rawInput, ['url', 'uri']) : null
  const diffs = content.filter((one) => one.type === 'diff')
  const path = told[0] ?? diffs[0]?.path ?? textField(rawInput, ['filePath', 'file_path', 'path', 'absolute_path'])
  const paths =
    path === null || kind === 'execute' || kind === 'fetch' ? [] : [path, ...told, ...diffs.map((one) => one.path)]
  const edit = kind === 'edit' ? editIn({ diffs, rawInput, folder }) : {}
  const rest = Object.keys(edit).length === 0 ? rawInput : flagsIn(rawInput)
  return {
    title: title === '' ? kind : title,
    ...(command === null ? {} : { command }),
    ...pathsIn([...new Set(paths.map((one) => toldPath(folder, one)))]),
    ...(url === null ? {} : { url }),
    ...edit,
    ...(rest === null ? {} : { input: rest }),
  }
}

/** A call as its open question says it is. */
function asAsked(call: AgentCall): AgentCall {
  return { ...call, ...call.permission?.about }
}

function pathsIn(paths: readonly string[]): Pick<CallInput, 'path' | 'paths'> {
  const [path] = paths
  if (path === undefined) return {}
  return paths.length === 1 ? { path } : { path, paths }
}

type Edit = Pick<CallInput, 'oldText' | 'newText' | 'changes' | 'content'>

/** What an edit does to its files, as the agent shows it, else as it gave it to its own tool; nothing where neither says so. [AGENT68] */
function editIn({
  diffs,
  rawInput,
  folder,
}: {
  readonly diffs: readonly Extract<CallContent, { type: 'diff' }>[]
  readonly rawInput: Json
  readonly folder: string | null
}): Edit {
  const changes = diffs.map(({ path, oldText, newText }) =>
    changedText({ path: toldPath(folder, path), oldText: oldText ?? '', newText }),
  )
  const [only, ...others] = changes
  if (only && others.length === 0) return { oldText: only.oldText, newText: only.newText }
  if (only) return { changes }
  const [oldText, newText] = [
    anyText(rawInput, ['oldString', 'old_string']),
    anyText(rawInput, ['newString', 'new_string']),
  ]
  if (oldText !== null && newText !== null) return { oldText, newText }
  const content = anyText(rawInput, ['content'])
  return content === null ? {} : { content }
}

/** What is not said by the change of a text: whether all places are meant, say. */
function flagsIn(rawInput: Json): Json {
  const read = fields.safeParse(rawInput)
  const flags = Object.entries(read.data ?? {}).filter(([, value]) => typeof value === 'boolean')
  return flags.length === 0 ? null : Object.fromEntries(flags)
}

function named(title: string): string | null {
  return title === '' ? null : title
}

const fields = z.record(z.string(), z.json())

function textField(input: Json, names: readonly string[]): string | null {
  const read = fields.safeParse(input)
  if (!read.success) return null
  for (const name of names) {
    const value = read.data[name]
    if (typeof value === 'string' && value !== '') return value
    if (Array.isArray(value)) return value.map(String).join(' ')
  }
  return null
}

/** As `textField`, an empty one too: what is taken away may be nothing. */
function anyText(input: Json, names: readonly string[]): string | null {
  const read = fields.safeParse(input)
  const values = names.map((name) => read.data?.[name])
  return values.find((value) => typeof value === 'string') ?? null
}
