import { isAbsolute, relative } from 'node:path'
import type { Json } from '@holdfast/conversation'
import * as z from 'zod'
import type { AgentCall } from './prompt.ts'

/** What a call of an agent is about, as rules and people read it. */
export interface CallInput {
  readonly title: string
  readonly command?: string
  readonly path?: string
  readonly url?: string
  /** What the agent gave its own tool. */
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
  other: 'other',
} as const

/** The name of the tool that stands for calls of a kind. */
export function toolNameOf(kind: string): string {
  return kind in CALL_KINDS ? `agent_${kind}` : 'agent_other'
}

/** What a call is about, by what is known of it. Paths in the folder are told from there. */
export function inputOf({ title, kind, paths, content, rawInput }: AgentCall, folder: string | null): CallInput {
  // Who tells no input (Gemini CLI) has the command line for a title: rules for commands hold for that. [AGENT6]
  const command = kind === 'execute' ? (textField(rawInput, ['command', 'cmd', 'script']) ?? named(title)) : null
  const url = kind === 'fetch' ? textField(rawInput, ['url', 'uri']) : null
  const diff = content.find((one) => one.type === 'diff')
  const path = paths[0] ?? diff?.path ?? textField(rawInput, ['filePath', 'file_path', 'path', 'absolute_path'])
  return {
    title: title === '' ? kind : title,
    ...(command === null ? {} : { command }),
    ...(path === null || kind === 'execute' || kind === 'fetch' ? {} : { path: toldFrom(folder, path) }),
    ...(url === null ? {} : { url }),
    ...(rawInput === null ? {} : { input: rawInput }),
  }
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

function toldFrom(folder: string | null, path: string): string {
  if (folder === null || !isAbsolute(path)) return path
  const told = relative(folder, path)
  return told === '' || told.startsWith('..') ? path : told
}
