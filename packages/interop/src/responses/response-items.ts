import type { EntryOf, Json } from '@holdfast/conversation'
import { itemIdOf, type NamedStep } from './response-ids.ts'

/** An item of an answer, as Open Responses has them. */
export interface ResponseItem {
  readonly type: string
  readonly id: string
  readonly [field: string]: Json
}

/** The one field of the input of a tool whose input is text: its name tells such a call from others, also later. */
export const CUSTOM_INPUT = 'custom_tool_input'

/** How an item that streams text is told: what its text stands in, and the names of its events. */
export interface TextForm {
  readonly part: (text: string) => Readonly<Record<string, Json>>
  readonly item: (id: string, status: 'in_progress' | 'completed', text: string | null) => ResponseItem
  readonly events: string
  /** What every delta has beside its text. */
  readonly more: Readonly<Record<string, Json>>
}

/** What an assistant says. */
export const MESSAGE: TextForm = {
  part: (text) => ({ type: 'output_text', text, annotations: [], logprobs: [] }),
  item: (id, status, text) => ({
    type: 'message',
    id,
    status,
    role: 'assistant',
    content: text === null ? [] : [MESSAGE.part(text)],
  }),
  events: 'response.output_text',
  more: { logprobs: [] },
}

/** What it thinks. */
export const REASONING: TextForm = {
  part: (text) => ({ type: 'reasoning_text', text }),
  item: (id, status, text) => ({
    type: 'reasoning',
    id,
    status,
    summary: [],
    content: text === null ? [] : [REASONING.part(text)],
    encrypted_content: null,
  }),
  events: 'response.reasoning_text',
  more: {},
}

/**
 * What waits for a person, who is asked in Holdfast and nowhere else: beside the words of the answer, where clients show
 * what goes on meanwhile.
 */
export function waitItemOf(id: string, text: string | null): ResponseItem {
  const status = text === null ? 'in_progress' : 'completed'
  const summary = text === null ? [] : [{ type: 'summary_text', text }]
  return { type: 'reasoning', id, status, summary, content: [], encrypted_content: null }
}

/** What a client is told of a request for permission or a question. */
export function waitWords(asked: EntryOf<'permission-requested'> | EntryOf<'question-asked'>): string {
  const { conversationId, tool, type } = asked
  const place = `/c/${conversationId}`
  return type === 'permission-requested'
    ? `The call of ${tool} needs the permission of a person, who is asked in Holdfast: ${place}`
    : `${tool} asks a person, in Holdfast (${place}): ${asked.message.slice(0, MOST_ASKED_CHARS)}`
}

/** A call that the client runs, at its beginning and whole, with the events of what stands in it. */
export interface ClientCall {
  readonly begun: ResponseItem
  readonly whole: ResponseItem
  readonly events: string
  /** The name of the field that its last event says all of it in. */
  readonly field: 'arguments' | 'input'
  readonly text: string
}

/** A call as the client is told it: with its input as the model wrote it. */
export function clientCallOf(step: NamedStep, { callId, name }: CallName, inputText: string): ClientCall {
  const callItemId = itemIdOf('call', step, callId)
  const custom = customInputOf(inputText)
  const about = { call_id: callItemId, name }
  if (custom !== null) {
    const item = (input: string, status: string): ResponseItem => ({
      type: 'custom_tool_call',
      id: itemIdOf('ctc', step, callId),
      status,
      ...about,
      input,
    })
    const events = 'response.custom_tool_call_input'
    return { begun: item('', 'in_progress'), whole: item(custom, 'completed'), events, field: 'input', text: custom }
  }
  const text = inputText === '' ? '{}' : inputText
  const item = (words: string, status: string): ResponseItem => ({
    type: 'function_call',
    id: itemIdOf('fc', step, callId),
    status,
    ...about,
    arguments: words,
  })
  const events = 'response.function_call_arguments'
  return { begun: item('', 'in_progress'), whole: item(text, 'completed'), events, field: 'arguments', text }
}

/** A call that ran at the server, as clients know those: nothing for them to run. */
export function serverCallOf(
  step: NamedStep,
  { callId, name, outcome, content }: EntryOf<'tool-call-settled'>,
  inputText: string,
): ResponseItem {
  const words = content.map((part) => (part.type === 'text' ? part.text : '[picture]')).join('\n')
  return {
    type: 'mcp_call',
    id: itemIdOf('mcp', step, callId),
    status: outcome === 'ok' ? 'completed' : 'failed',
    server_label: 'holdfast',
    name,
    arguments: inputText,
    approval_request_id: null,
    output: outcome === 'ok' ? words : null,
    error: outcome === 'ok' ? null : words,
  }
}

const MOST_ASKED_CHARS = 500

interface CallName {
  readonly callId: string
  readonly name: string
}

function customInputOf(inputText: string): string | null {
  if (!inputText.includes(CUSTOM_INPUT)) return null
  try {
    const input: unknown = JSON.parse(inputText)
    if (typeof input !== 'object' || input === null || !(CUSTOM_INPUT in input)) return null
    return typeof input[CUSTOM_INPUT] === 'string' ? input[CUSTOM_INPUT] : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
