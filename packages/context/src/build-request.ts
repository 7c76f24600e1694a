import type { Entry, EntryOf } from '@holdfast/conversation'
import type { ModelRequest, RequestMessage } from '@holdfast/provider'

/** Raised when the same log would give other bytes. A conversation keeps its version until its next boundary. [REQ1] */
export const BUILDER_VERSION = 1

/** What a request is made from, and from nothing else. [REQ1] */
export interface RequestSource {
  readonly modelId: string
  readonly system: string
  /** The entries of the active path, oldest first. */
  readonly entries: readonly Entry[]
}

/**
 * Makes the request from the log: same log, same bytes. [REQ1]
 *
 * Only messages, steps, tool results and stop markers are sent; titles, notices, errors, accounting lines
 * and permissions never are. [REQ3] A step that was cut is sent with the text that was published, without
 * its half tool inputs and its unsigned thinking. [REQ4, RUN12]
 */
export function buildRequest({ modelId, system, entries }: RequestSource): ModelRequest {
  const purposes = purposesOf(entries)
  const messages: RequestMessage[] = []
  for (const entry of entries) {
    if (entry.type === 'user-message-sent') messages.push({ role: 'user', parts: entry.content })
    if (entry.type === 'stop-noted') messages.push({ role: 'user', parts: [{ type: 'text', text: entry.text }] })
    if (entry.type === 'step-finished' && purposes.get(entry.runId) === 'turn') messages.push(...answerOf(entry))
    if (entry.type === 'tool-call-settled')
      messages.push({ role: 'tool', callId: entry.callId, isError: entry.outcome !== 'ok', content: entry.content })
  }
  return {
    modelId,
    system,
    tools: [],
    toolChoice: 'auto',
    messages: joinUsers(messages),
    maxOutputTokens: null,
    thinkingBudgetTokens: null,
    parameters: {},
    cacheMarks: null,
  }
}

/**
 * The request as text, one message a line: the next turn's text begins with it, as long as no boundary
 * lies between. [REQ5]
 */
export function canonicalText(request: ModelRequest): string {
  const { messages, ...head } = request
  return [JSON.stringify(head), ...messages.map((message) => JSON.stringify(message))]
    .map((line) => `${line}\n`)
    .join('')
}

function purposesOf(entries: readonly Entry[]): ReadonlyMap<string, EntryOf<'run-started'>['purpose']> {
  return new Map(
    entries.flatMap((entry) => (entry.type === 'run-started' ? [[entry.runId, entry.purpose] as const] : [])),
  )
}

/** An answer without any content is no message. [RUN12] */
function answerOf(step: EntryOf<'step-finished'>): RequestMessage[] {
  const blocks = step.blocks.filter((block) => {
    switch (block.type) {
      case 'text':
        return block.text.trim() !== ''
      case 'thinking':
        return block.providerState !== undefined
      case 'tool-call':
        return block.complete
    }
  })
  return blocks.some((block) => block.type !== 'thinking') ? [{ role: 'assistant', blocks }] : []
}

/** What people said without an answer between is one message: roles alternate. [REQ2] */
function joinUsers(messages: readonly RequestMessage[]): RequestMessage[] {
  const joined: RequestMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role === 'user' && message.role === 'user') {
      joined[joined.length - 1] = { role: 'user', parts: [...last.parts, ...message.parts] }
    } else joined.push(message)
  }
  return joined
}
