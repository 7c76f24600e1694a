import type { ServerFrame } from '@holdfast/protocol'
import type { CompletionEnd } from './completion.ts'

/** Writes a completion as `chat.completion.chunk` events. */
export interface CompletionEvents {
  onText(text: string): void
  /** The events of what came with this frame; after the last, nothing comes. */
  flush(frame: ServerFrame, end: CompletionEnd | null): string
}

/** Makes the events of one completion. The first event says who speaks; the usage has an event of its own, as OpenAI has it. */
export function createCompletionEvents({
  withUsage,
  ...head
}: {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly withUsage: boolean
}): CompletionEvents {
  let text = ''
  let isBegun = false

  function chunk(delta: object, finishReason: string | null): string {
    const choices = [{ index: 0, delta, finish_reason: finishReason }]
    return toEvent({ ...head, object: 'chat.completion.chunk', choices, ...(withUsage ? { usage: null } : {}) })
  }

  function endOf(end: CompletionEnd): string {
    if (end.type === 'failed')
      return `${toEvent({ error: { message: end.words, type: 'server_error', code: 'turn-failed', param: null } })}${DONE}`
    const usage = { ...head, object: 'chat.completion.chunk', choices: [], usage: end.usage }
    return `${chunk({}, end.reason)}${withUsage ? toEvent(usage) : ''}${DONE}`
  }

  return {
    onText(words) {
      text += words
    },
    flush({ type }, end) {
      const said = text === '' ? '' : chunk({ content: text }, null)
      text = ''
      const begun = isBegun || (said === '' && !end) ? '' : chunk({ role: 'assistant', content: '' }, null)
      isBegun ||= begun !== ''
      // What keeps a silent stream from being taken for a dead one: a comment, which no client reads.
      const beat = type === 'caught-up' && !end ? ': waiting\n\n' : ''
      return `${begun}${said}${end ? endOf(end) : ''}${beat}`
    },
  }
}

const DONE = 'data: [DONE]\n\n'

function toEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
