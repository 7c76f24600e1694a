import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { Entry, EntryOf, ToolOutcome } from '@holdfast/conversation'
import type { TranscriptAnswerItem } from '@holdfast/protocol'
import { diffOf, kindOf, locationsOf, planOf, titleOf } from './tool-words.ts'

/** What an editor is told of one call when the answer that makes it is closed. */
export function callsOf({ blocks }: Pick<EntryOf<'step-finished'>, 'blocks'>, cwd: string): SessionUpdate[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'tool-call' || !block.complete) return []
    return callUpdate(
      { callId: block.callId, name: block.name, input: inputOf(block.inputText), status: 'pending' },
      cwd,
    )
  })
}

/** What an entry that follows an answer tells. */
export function updatesOf(entry: Entry): SessionUpdate[] {
  switch (entry.type) {
    case 'tool-call-started':
      return [{ sessionUpdate: 'tool_call_update', toolCallId: entry.callId, status: 'in_progress' }]
    case 'tool-call-settled':
      return [settled(entry)]
    case 'title-changed':
      return [{ sessionUpdate: 'session_info_update', title: entry.title, updatedAt: new Date(entry.at).toISOString() }]
    default:
      return []
  }
}

/** An item of the transcript as an editor that loads the conversation reads it. */
export function replayOf(item: TranscriptAnswerItem, cwd: string): SessionUpdate[] {
  if (item.role === 'user')
    return item.parts.flatMap((part) => wordsOf(part).map((text) => chunk('user_message_chunk', text)))
  if (item.role !== 'assistant') return []
  const said = item.parts.flatMap((part) => {
    const { type, text } = asPart(part)
    if (text === '') return []
    return [chunk(type === 'thinking' ? 'agent_thought_chunk' : 'agent_message_chunk', text)]
  })
  const calls = item.toolCalls.flatMap(({ callId, name, input, outcome, output }) => {
    const status = outcome === null ? 'pending' : outcome === 'ok' ? 'completed' : 'failed'
    const content = output === null ? [] : [textContent(output)]
    return callUpdate({ callId, name, input, status, content }, cwd)
  })
  return [...said, ...calls]
}

/** Text of an answer or a message, as it comes. */
export function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text } }
}

/** The words of a part of a message; what is no text is named. */
export function wordsOf(part: unknown): string[] {
  const { type, text } = asPart(part)
  return [text === '' ? `[${type}]` : text]
}

interface Call {
  readonly callId: string
  readonly name: string
  readonly input: unknown
  readonly status: 'pending' | 'completed' | 'failed'
  readonly content?: readonly { readonly type: 'content'; readonly content: ContentBlock }[]
}

function callUpdate({ callId, name, input, status, content }: Call, cwd: string): SessionUpdate[] {
  const plan = planOf(name, input)
  return [
    {
      sessionUpdate: 'tool_call',
      toolCallId: callId,
      title: titleOf(name, input),
      kind: kindOf(name),
      status,
      locations: locationsOf(input, cwd),
      content: [...diffOf(name, input, cwd), ...(content ?? [])],
      rawInput: input,
    },
    ...(plan === null ? [] : [{ sessionUpdate: 'plan' as const, entries: plan }]),
  ]
}

function settled({ callId, outcome, content }: EntryOf<'tool-call-settled'>): SessionUpdate {
  const text = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: callId,
    status: statusOf(outcome),
    rawOutput: { outcome, text },
    ...(outcome === 'ok' && text === '' ? {} : { content: [textContent(text)] }),
  }
}

function statusOf(outcome: ToolOutcome): 'completed' | 'failed' {
  return outcome === 'ok' ? 'completed' : 'failed'
}

function textContent(text: string): { readonly type: 'content'; readonly content: ContentBlock } {
  return { type: 'content', content: { type: 'text', text } }
}

function asPart(part: unknown): { readonly type: string; readonly text: string } {
  if (typeof part !== 'object' || part === null) return { type: 'unknown', text: '' }
  const type = 'type' in part && typeof part.type === 'string' ? part.type : 'unknown'
  return { type, text: 'text' in part && typeof part.text === 'string' ? part.text : '' }
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
