import type { Json } from '@holdfast/conversation'
import * as z from 'zod'
import { say } from '../language/say.ts'

/** A request as the log builds it, as far as it is shown. What a newer server adds passes. */
const Part = z.looseObject({ type: z.string(), text: z.string().exactOptional(), name: z.string().exactOptional() })
const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), parts: z.array(Part) }),
  z.looseObject({ role: z.literal('assistant'), blocks: z.array(Part) }),
  z.looseObject({ role: z.literal('tool'), callId: z.string(), isError: z.boolean(), content: z.array(Part) }),
])
const Request = z.looseObject({
  system: z.string(),
  tools: z.array(z.looseObject({ name: z.string() })),
  messages: z.array(Message),
  cacheMarks: z
    .looseObject({ system: z.boolean(), messages: z.array(z.int()) })
    .nullable()
    .exactOptional(),
})

/** One row of a request, in the order in which the provider reads it. */
export interface RequestRow {
  readonly key: string
  readonly name: string
  readonly text: string
  /** Whether a cache mark stands after it. */
  readonly isMarked: boolean
  /** Whether it is the result of a call. */
  readonly isResult: boolean
}

/** The rows of a request; null when it is not of the shape that is known here. */
export function requestRows(request: Readonly<Record<string, Json>>): readonly RequestRow[] | null {
  const parsed = Request.safeParse(request)
  if (!parsed.success) return null
  const { system, tools, messages, cacheMarks } = parsed.data
  const names = callNames(messages)
  const head: RequestRow[] = [
    ...(tools.length > 0
      ? [
          {
            key: 'tools',
            name: say('inspector.request-tools', { count: tools.length }),
            text: tools.map(({ name }) => name).join(', '),
            isMarked: false,
            isResult: false,
          },
        ]
      : []),
    {
      key: 'system',
      name: 'system',
      text: system === '' ? say('inspector.request-empty') : system,
      isMarked: cacheMarks?.system ?? false,
      isResult: false,
    },
  ]
  return [
    ...head,
    ...messages.map((message, index) => ({
      key: String(index),
      name: nameOf(message, names),
      text: textOf(message),
      isMarked: cacheMarks?.messages.includes(index) ?? false,
      isResult: message.role === 'tool',
    })),
  ]
}

type RequestMessage = z.infer<typeof Message>

function nameOf(message: RequestMessage, names: ReadonlyMap<string, string>): string {
  if (message.role !== 'tool') return message.role
  const name = names.get(message.callId) ?? message.callId
  return message.isError ? say('inspector.request-failed-result', { name }) : say('inspector.request-result', { name })
}

function textOf(message: RequestMessage): string {
  switch (message.role) {
    case 'user':
      return partsText(message.parts)
    case 'assistant':
      return partsText(message.blocks)
    case 'tool':
      return partsText(message.content)
  }
}

function partsText(parts: readonly z.infer<typeof Part>[]): string {
  return parts
    .map((part) => {
      if (part.type === 'tool-call') return say('inspector.request-calls', { name: part.name ?? '' })
      if (part.type === 'thinking') return [say('inspector.request-thinking'), part.text ?? ''].join(' ')
      return part.text ?? `[${part.type} ${part.name ?? ''}]`
    })
    .join('\n')
}

function callNames(messages: readonly RequestMessage[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const { type, name, callId } of message.blocks)
      if (type === 'tool-call' && typeof callId === 'string') names.set(callId, name ?? callId)
  }
  return names
}
