import type { ModelRequest, RequestMessage } from '../model-port.ts'
import type { DemoProgress, DemoResult } from './demo-act.ts'

/** What a request asks of the script. */
export type DemoTask =
  | { readonly type: 'title' }
  | { readonly type: 'summary' }
  /** `name` is empty for what is no command. */
  | {
      readonly type: 'turn'
      readonly words: string
      readonly name: string
      /** What the message points at: marked texts of errors, elements and others. */
      readonly data: readonly string[]
      readonly progress: Omit<DemoProgress, 'refusedCount'>
    }

/** Reads what is asked for; nothing but the request is looked at. */
export function readTask(request: ModelRequest): DemoTask {
  const lastPart = textsOf(request.messages.at(-1)).at(-1) ?? ''
  if (lastPart.includes('<title-request>')) return { type: 'title' }
  if (lastPart.includes('<summary-request>')) return { type: 'summary' }
  const { messages } = request
  const index = messages.findLastIndex((message) => textsOf(message).some(isSaid))
  const words = textsOf(messages[index]).findLast(isSaid)?.trim() ?? ''
  const after = messages.slice(index + 1)
  const [name = '', ...rest] = words.startsWith('/demo ') ? words.slice('/demo '.length).trim().split(/\s+/) : []
  const progress = {
    step: after.filter(({ role }) => role === 'assistant').length,
    results: resultsIn(after),
    argument: rest.join(' '),
  }
  const data = textsOf(messages[index]).filter((text) => !isSaid(text))
  return { type: 'turn', words, name, data, progress }
}

/** What people said, oldest first. */
export function saidByPeople({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(textsOf).filter(isSaid)
}

function textsOf(message: RequestMessage | undefined): readonly string[] {
  if (message?.role !== 'user') return []
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** Whether it is what a person said: notes, summaries and quotes begin with a mark of their own. */
function isSaid(text: string): boolean {
  return !/^<\/?(?:note|summary|carried-over|record|quote|element|page-error|link|mention|resource|canvas-element|title-request|summary-request)\b/.test(
    text,
  )
}

function resultsIn(messages: readonly RequestMessage[]): readonly DemoResult[] {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? message.blocks.flatMap((block) => (block.type === 'tool-call' ? [[block.callId, block.name] as const] : []))
        : [],
    ),
  )
  return messages.flatMap((message) => {
    if (message.role !== 'tool') return []
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '[picture]')).join('\n')
    return [{ tool: names.get(message.callId) ?? 'a tool', isError: message.isError, text }]
  })
}
