import { MentionKind, type SentPart } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { agentIdOf } from './agents.ts'
import { conversationIdOf } from './conversations.ts'

/** A mention as a command has it: what it is of, and its path, name or id. */
interface Mentioned {
  readonly kind: MentionKind
  readonly id: string
  readonly lines?: { readonly from: number; readonly to: number }
}

/**
 * Reads `file:src/a.ts`, `file:src/a.ts:3-9`, `agent:NAME`, `tool:NAME` or `conversation:ID`.
 *
 * @throws {CliError} for what is none of these.
 */
export function readMention(text: string): Mentioned {
  const [, kind, rest = ''] = /^([a-z]+):(.+)$/.exec(text) ?? []
  const known = MentionKind.safeParse(kind)
  if (!known.success) {
    const words = `"${text}" names nothing: give file:PATH, file:PATH:3-9, agent:NAME, tool:NAME or conversation:ID.`
    throw new CliError('E_USAGE', 2, words)
  }
  const [, path, from, to] = known.data === 'file' ? (/^(.+):(\d{1,9})-(\d{1,9})$/.exec(rest) ?? []) : []
  if (path === undefined || from === undefined || to === undefined) return { kind: known.data, id: rest }
  if (Number(from) < 1 || Number(from) > Number(to))
    throw new CliError('E_USAGE', 2, `"${text}" has no such lines: they are counted from 1, as in 3-9.`)
  return { kind: known.data, id: path, lines: { from: Number(from), to: Number(to) } }
}

/** What is sent for them: agents by their names, conversations by the beginning of their ids or `last`. @throws {CliError} */
export async function mentionedParts(api: Api, texts: readonly string[]): Promise<SentPart[]> {
  const parts: SentPart[] = []
  for (const mentioned of texts.map(readMention)) parts.push(await partOf(api, mentioned))
  return parts
}

async function partOf(api: Api, { kind, id, lines }: Mentioned): Promise<SentPart> {
  switch (kind) {
    case 'agent':
      return { type: 'mention', kind, id: await agentIdOf(api, id) }
    case 'conversation':
      return { type: 'mention', kind, id: await conversationIdOf(api, id) }
    case 'file':
    case 'tool':
      return { type: 'mention', kind, id, ...(lines === undefined ? {} : { lines }) }
  }
}
