import { createHash } from 'node:crypto'
import type { OpenAiChatRequest, OpenAiMessage, SentPart } from '@holdfast/protocol'
import { RefusedError } from '@holdfast/server'

/** What a request for a completion asks for. */
export interface AskedCompletion {
  /** What the system and developer messages say; null where there is none. */
  readonly instructions: string | null
  /** All before the messages that are asked now, as far as people and models said it. */
  readonly history: readonly SaidMessage[]
  /** What is asked now: every message of the user after the last answer. */
  readonly content: readonly SentPart[]
  /** The names of parameters that a conversation here has no place for. */
  readonly ignored: readonly string[]
}

/** A message of the history. */
export interface SaidMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** What is looked at; anything else is named in the answer as not looked at. */
const KNOWN: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'stream_options', 'metadata', 'n', 'user'])

/** What would change what the answer is, so that leaving it out in silence would be wrong. */
const REFUSED: Readonly<Record<string, string>> = {
  tools: 'Tools run at this server, as its agents have them: leave tools out',
  functions: 'Tools run at this server, as its agents have them: leave functions out',
  response_format: 'Answers are text: leave response_format out, and ask for the form in the message',
  audio: 'Answers are text: leave audio out',
  modalities: 'Answers are text: leave modalities out',
}

/**
 * Reads what is asked.
 *
 * @throws {RefusedError} when something is asked for that is not done here.
 */
export function toAskedCompletion(body: OpenAiChatRequest): AskedCompletion {
  for (const [name, words] of Object.entries(REFUSED)) if (isAskedFor(body[name])) throw refused(words)
  if (body['n'] != null && body['n'] !== 1) throw refused('One answer is given to a message: leave n out')
  const said = body.messages.filter(({ role }) => role !== 'system' && role !== 'developer')
  if (said.some(({ role }) => role === 'tool' || role === 'function'))
    throw refused('Tools run at this server: messages have no results of calls')
  const lastAnswer = said.findLastIndex(({ role }) => role === 'assistant')
  const asked = said.slice(lastAnswer + 1)
  if (asked.length === 0) throw refused('The last message is one of the user: there is nothing to answer')
  const instructions = body.messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf)
    .join('\n\n')
  return {
    instructions: instructions === '' ? null : instructions,
    history: said.slice(0, lastAnswer + 1).map(toSaid),
    content: asked.map((message) => ({ type: 'text', text: nonEmpty(textOf(message)) })),
    ignored: Object.keys(body).filter((name) => !KNOWN.has(name) && !(name in REFUSED) && body[name] != null),
  }
}

/** Names a history by what was said in it; null for none. Spaces around a message do not count: clients take them off. */
export function historyId(said: readonly SaidMessage[]): string | null {
  if (said.length === 0) return null
  const words = said.map(({ role, text }) => [role, text.trim()])
  return createHash('sha256').update(JSON.stringify(words)).digest('hex')
}

/** What is said now, as it will stand in the history of the next request. */
export function toSaidNow(content: readonly SentPart[]): readonly SaidMessage[] {
  return content.flatMap((part) => (part.type === 'text' ? [{ role: 'user' as const, text: part.text }] : []))
}

function toSaid(message: OpenAiMessage): SaidMessage {
  return { role: message.role === 'assistant' ? 'assistant' : 'user', text: textOf(message) }
}

function textOf({ content }: OpenAiMessage): string {
  if (content == null) return ''
  if (typeof content === 'string') return content
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text ?? ''
    throw refused(`Messages are text: a part of the type "${part.type.slice(0, 50)}" is sent by the page or the API`)
  })
  return parts.join('\n')
}

function nonEmpty(text: string): string {
  if (text === '') throw refused('A message of the user has no text')
  return text
}

function isAskedFor(value: unknown): boolean {
  if (value == null) return false
  if (Array.isArray(value)) return value.length > 0 && !(value.length === 1 && value[0] === 'text')
  return !(typeof value === 'object' && 'type' in value && value.type === 'text')
}

function refused(words: string): RefusedError {
  return new RefusedError(422, 'bad-request', words)
}
