import type { ConversationContext, ConversationStore, NextRequestAnswer } from '@holdfast/client'
import type { Json } from '@holdfast/conversation'
import * as z from 'zod'
import { CopyButton } from '../shared/copy-button.tsx'
import { shortCount } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { ExcludeResult } from '../tools/exclude-result.tsx'

interface RequestViewProps {
  readonly request: Readonly<Record<string, Json>>
  /** Why each message is sent, and what of all the cache has; absent for a request of the past. */
  readonly reasons?: NonNullable<NextRequestAnswer>
  /** Where results can be left out; absent for a request of the past. [TOOL10] */
  readonly exclusion?: { readonly store: ConversationStore; readonly context: ConversationContext }
}

/** A request in the order in which the provider reads it, with the line up to which it may come from the cache. */
export function RequestView({ request, reasons, exclusion }: RequestViewProps) {
  const rows = requestRows(request)
  const exact = () => JSON.stringify(request, null, 2)
  if (!rows) {
    return (
      <pre className="printed" dir="ltr">
        {exact()}
      </pre>
    )
  }
  const boundary = reasons ? keptRow(rows, reasons) : boundaryOf(rows)
  const headCount = rows.filter(({ key }) => key === 'tools' || key === 'system').length
  return (
    <div className="request" data-testid="request-view">
      <div className="request-acts">
        <CopyButton text={exact} label={say('inspector.copy-request')} />
      </div>
      <ol>
        {rows.map((row, index) => (
          <li key={row.key} className={index === boundary ? 'request-row boundary' : 'request-row'}>
            <details>
              <summary>
                <strong>{row.name}</strong>
                <span className="request-reason">
                  {reasons && index < headCount
                    ? say('inspector.always-sent')
                    : reasonText(reasons?.items[index - headCount])}
                </span>
                <span className="request-text" dir="auto">
                  {row.text.slice(0, 200)}
                </span>
              </summary>
              <pre dir="auto">{row.text}</pre>
              {row.isResult &&
                exclusion &&
                reasons?.items[index - headCount]?.seqs.map((resultSeq) => (
                  <ExcludeResult key={resultSeq} {...exclusion} resultSeq={resultSeq} />
                ))}
            </details>
            {index === boundary && (
              <p className="cache-boundary" data-testid="cache-boundary">
                {say('inspector.cache-boundary')}{' '}
                <span>{reasons ? boundaryText(reasons) : say('inspector.above-as-in-the-request')}</span>
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The last row whose bytes the provider's cache has; -1 where it has none. */
function keptRow(rows: readonly RequestRow[], { cache, items }: NonNullable<NextRequestAnswer>): number {
  if (cache.keptTokens === 0) return -1
  const headCount = rows.length - items.length
  const { keptToSeq } = cache
  if (keptToSeq === null) return headCount - 1
  return headCount + items.findLastIndex(({ seqs }) => (seqs.at(-1) ?? 0) <= keptToSeq)
}

function boundaryText({ cache: { state, keptTokens } }: NonNullable<NextRequestAnswer>): string {
  return say(state === 'warm' ? 'inspector.boundary-warm' : 'inspector.boundary-cold', {
    count: keptTokens,
    tokens: shortCount(keptTokens),
  })
}

const REASONS: Readonly<Record<NonNullable<NextRequestAnswer>['items'][number]['reasons'][number], PlainKey>> = {
  whole: 'inspector.all-of-the-conversation',
  window: 'inspector.inside-the-window',
  kept: 'inspector.kept-beside-the-summary',
  current: 'inspector.the-current-exchange',
  summary: 'inspector.stands-for-what-is-before',
  pinned: 'inspector.pinned',
  wrote: 'inspector.carried-over-word-for-word',
  note: 'inspector.told-by-holdfast',
}

function reasonText(item: NonNullable<NextRequestAnswer>['items'][number] | undefined): string {
  if (!item) return ''
  return [`≈ ${shortCount(item.tokens)}`, ...item.reasons.map((reason) => say(REASONS[reason]))].join(' · ')
}

/** The last row but one that has a mark: what the request before wrote. The last mark is written by this one. */
function boundaryOf(rows: readonly RequestRow[]): number {
  const marked = rows.flatMap(({ isMarked }, index) => (isMarked ? [index] : []))
  return marked.at(-2) ?? -1
}

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
interface RequestRow {
  readonly key: string
  readonly name: string
  readonly text: string
  /** Whether a cache mark stands after it. */
  readonly isMarked: boolean
  /** Whether it is the result of a call. */
  readonly isResult: boolean
}

/** The rows of a request; null when it is not of the shape that is known here. */
function requestRows(request: Readonly<Record<string, Json>>): readonly RequestRow[] | null {
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
