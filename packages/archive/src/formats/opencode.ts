import * as z from 'zod'
import type { NoteSkip } from '../import/skip.ts'
import type { SourceBlock, SourceEvent, SourcePart, SourceUsage } from '../log/source-event.ts'
import { Figure, inputTextOf, isRecord, OptionalText, readDataUrl, timeOf } from './fields.ts'
import type { DocumentConversation, DocumentFormat, ReadContext } from './format-reader.ts'
import { withTitle } from './with-title.ts'

const Tokens = z.object({
  /** All together; older versions do not say it. */
  total: z.number().nullish().catch(null),
  input: Figure,
  output: Figure,
  reasoning: Figure,
  cache: z.object({ read: Figure, write: Figure }).catch({ read: 0, write: 0 }),
})
const Failure = z.object({
  name: OptionalText,
  data: z.object({ message: OptionalText, statusCode: z.number().nullish().catch(null) }).catch({}),
})
const Time = z.object({ created: z.unknown().optional(), start: z.unknown().optional(), end: z.unknown().optional() })
const NO_TIME = { created: undefined, start: undefined, end: undefined }

const Session = z.object({
  id: z.string(),
  title: OptionalText,
  parentID: OptionalText,
  revert: z.object({ messageID: z.string() }).nullish().catch(null),
})
const Message = z.object({
  info: z.object({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    time: Time.catch(NO_TIME),
    summary: z.unknown().optional(),
    providerID: OptionalText,
    modelID: OptionalText,
    tokens: Tokens.nullish().catch(null),
    cost: z.number().nullish().catch(null),
    finish: OptionalText,
    error: Failure.nullish().catch(null),
  }),
  parts: z.array(z.unknown()).default([]),
})
type Message = z.infer<typeof Message>

const Shown = z.boolean().nullish().catch(false)
const FilePart = z.object({ type: z.literal('file'), mime: OptionalText, filename: OptionalText, url: z.string() })
const ToolState = z.object({
  status: z.string(),
  input: z.unknown().optional(),
  output: OptionalText,
  error: OptionalText,
  attachments: z.array(FilePart).catch([]).default([]),
  time: Time.catch(NO_TIME).default(NO_TIME),
})
const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), synthetic: Shown }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({ type: z.literal('tool'), tool: z.string(), callID: z.string(), state: ToolState }),
  z.object({
    type: z.literal('step-finish'),
    reason: OptionalText,
    tokens: Tokens,
    cost: z.number().nullish().catch(null),
  }),
  z.object({ type: z.literal('subtask'), prompt: z.string() }),
  z.object({ type: z.literal('compaction'), auto: Shown, tail_start_id: OptionalText }),
  z.object({ type: z.literal('retry'), error: Failure, time: Time.catch(NO_TIME).default(NO_TIME) }),
  FilePart,
])
type ToolPart = Extract<z.infer<typeof Part>, { type: 'tool' }>

/** Parts that say nothing of the conversation itself: where steps begin, and what stood in the folder. */
const HOUSEKEEPING: ReadonlySet<unknown> = new Set(['step-start', 'snapshot', 'patch', 'agent'])

/** What opencode calls a session until its model has named it. */
const UNNAMED = /^(?:New|Child) session - \d{4}-/

/** Sessions as `opencode export` writes them. */
export const opencode: DocumentFormat = {
  name: 'opencode',
  recognizes: (document) =>
    isRecord(document) &&
    isRecord(document.info) &&
    typeof document.info.id === 'string' &&
    document.info.id.startsWith('ses_') &&
    (document.messages === undefined || Array.isArray(document.messages)),
  *conversations(document, note): Iterable<DocumentConversation> {
    if (!isRecord(document)) return
    const session = Session.safeParse(document.info)
    if (!session.success) return note({ reason: 'malformed', what: 'The head of a session of opencode' })
    const { id, title, parentID, revert } = session.data
    if (parentID != null) return note({ reason: 'sub-agent', what: `Session ${id} of a sub-agent` })
    const messages = Array.isArray(document.messages) ? document.messages : []
    yield {
      sourceId: id,
      events: (context) =>
        withTitle(
          sessionEvents(messages, revert?.messageID ?? null, context),
          UNNAMED.test(title ?? '') ? null : title,
        ),
    }
  },
}

/** Messages from the one of `revertedId` on were taken back and are still there. */
function* sessionEvents(
  messages: readonly unknown[],
  revertedId: string | null,
  context: ReadContext,
): Iterable<SourceEvent> {
  const { note, log } = context
  const places = new Map<string, number>()
  let compaction: Extract<z.infer<typeof Part>, { type: 'compaction' }> | null = null
  let keptExchange: number | null = null
  for (const value of messages) {
    const read = Message.safeParse(value)
    if (!read.success) {
      note({ reason: 'malformed', what: 'A message of opencode' })
      continue
    }
    const { info } = read.data
    if (info.id === revertedId) keptExchange = log.exchange()
    if (info.role === 'user') {
      const parts = read.data.parts.flatMap((part) => partOf(part, note))
      compaction = parts.find((part) => part.type === 'compaction') ?? compaction
      yield* said(parts, timeOf(info.time.created), note)
    } else if (info.summary === true && info.error == null) {
      const summary = read.data.parts
        .flatMap((part) => partOf(part, note))
        .flatMap((part) => (part.type === 'text' ? [part.text] : []))
        .join('\n\n')
      const keptFrom = compaction?.tail_start_id == null ? null : (places.get(compaction.tail_start_id) ?? null)
      const by = compaction?.auto === false ? 'person' : 'auto'
      yield { type: 'compacted', at: timeOf(info.time.created), by, summary, keptFrom }
      compaction = null
    } else yield* answered(read.data, note)
    places.set(info.id, log.place())
  }
  if (keptExchange !== null) yield { type: 'went-back', toExchange: keptExchange, reason: 'rewind', at: null }
}

function partOf(value: unknown, note: NoteSkip): z.infer<typeof Part>[] {
  const type = isRecord(value) ? value.type : typeof value
  if (HOUSEKEEPING.has(type)) return []
  const read = Part.safeParse(value)
  if (read.success) return [read.data]
  note({ reason: 'unknown-kind', what: `A part of a message: ${String(type)}` })
  return []
}

/** What a person said. Words that opencode put beside it, such as the content of a file that was named, are the program's. */
function* said(parts: readonly z.infer<typeof Part>[], at: number | null, note: NoteSkip): Iterable<SourceEvent> {
  const own: SourcePart[] = []
  const added: SourcePart[] = []
  // The words of a text file stand beside it: opencode reads it when it is named.
  const isRead = parts.some((part) => part.type === 'text' && part.synthetic === true)
  for (const part of parts) {
    if (part.type === 'text') (part.synthetic === true ? added : own).push({ type: 'text', text: part.text })
    else if (part.type === 'subtask') own.push({ type: 'text', text: part.prompt })
    else if (part.type === 'file') own.push(...(isRead && part.url.startsWith('file:') ? [] : fileParts(part, note)))
    else if (part.type !== 'compaction')
      note({ reason: 'unknown-kind', what: `A part of a person's message: ${part.type}` })
  }
  const isPerson = own.length > 0
  if (isPerson || added.length > 0)
    yield { type: 'said', at, parts: [...own, ...added], by: isPerson ? 'person' : 'program' }
}

/** One answer for each step: older versions put all steps of a turn into one message. */
function* answered({ info, parts }: Message, note: NoteSkip): Iterable<SourceEvent> {
  const { id, time, providerID, modelID, tokens, cost, finish, error } = info
  const at = timeOf(time.created)
  const providerId = providerID ?? 'unknown'
  const modelId = modelID ?? 'unknown'
  let blocks: SourceBlock[] = []
  let calls: ToolPart[] = []
  let steps = 0

  function* ended(end: { readonly usage: SourceUsage | null; readonly reason: string | null }): Iterable<SourceEvent> {
    steps++
    const answerId = `${id}/${steps}`
    const answer = { type: 'answered', at, answerId, providerId, modelId, blocks, usage: end.usage } as const
    yield { ...answer, finish: FINISHES[end.reason ?? ''] ?? null }
    for (const call of calls) yield* returned(call, note)
    blocks = []
    calls = []
  }

  for (const part of parts.flatMap((value) => partOf(value, note))) {
    if (part.type === 'text') blocks.push({ type: 'text', text: part.text })
    else if (part.type === 'reasoning') blocks.push({ type: 'thinking', text: part.text })
    else if (part.type === 'tool') {
      const inputText = inputTextOf(part.state.input ?? {})
      blocks.push({ type: 'tool-call', callId: part.callID, name: part.tool, inputText })
      calls.push(part)
    } else if (part.type === 'step-finish')
      yield* ended({ usage: usageOf(part.tokens, part.cost), reason: part.reason ?? null })
    else if (part.type === 'retry')
      yield failure(part.error, { at: timeOf(part.time.created) ?? at, providerId, modelId })
    else note({ reason: 'unknown-kind', what: `A part of an answer: ${part.type}` })
  }
  const isMeasured = steps === 0 && tokens != null && tokens.input + tokens.output + tokens.cache.read > 0
  if (blocks.length > 0) yield* ended({ usage: isMeasured ? usageOf(tokens, cost) : null, reason: finish ?? null })
  if (error?.name === 'MessageAbortedError') yield { type: 'stopped', at }
  else if (error != null) yield failure(error, { at, providerId, modelId })
}

const FINISHES: Readonly<Record<string, 'end' | 'tool-calls' | 'length' | 'refused'>> = {
  stop: 'end',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'refused',
}

function failure(
  { name, data }: z.infer<typeof Failure>,
  where: { readonly at: number | null; readonly providerId: string; readonly modelId: string },
): SourceEvent {
  const message = data.message ?? name ?? 'opencode recorded an error'
  return { type: 'failed', ...where, message, status: data.statusCode ?? null }
}

/** What a call returned; one that still ran when the session was left has nothing. */
function* returned({ callID, state }: ToolPart, note: NoteSkip): Iterable<SourceEvent> {
  if (state.status !== 'completed' && state.status !== 'error') return
  const [start, end] = [timeOf(state.time.start), timeOf(state.time.end)]
  const text = (state.status === 'error' ? state.error : state.output) ?? ''
  yield {
    type: 'returned',
    at: end,
    callId: callID,
    parts: [{ type: 'text', text }, ...state.attachments.flatMap((file) => fileParts(file, note))],
    isError: state.status === 'error',
    durationMs: start === null || end === null ? 0 : Math.max(0, end - start),
  }
}

function fileParts({ url, filename, mime }: z.infer<typeof FilePart>, note: NoteSkip): SourcePart[] {
  const data = readDataUrl(url)
  if (data) return [{ type: 'data', ...data, name: filename ?? null }]
  note({ reason: 'missing-attachment', what: `The file ${filename ?? url.slice(0, 200)} (${mime ?? 'of no kind'})` })
  return []
}

/** Input is told without what the cache held. It names no price where it says that something cost nothing. */
function usageOf(
  { total, input, output, reasoning, cache }: z.infer<typeof Tokens>,
  cost: number | null | undefined,
): SourceUsage {
  const before = input + cache.read + cache.write
  return {
    inputTokens: input,
    cacheReadTokens: cache.read,
    cacheCreation5mTokens: cache.write,
    cacheCreation1hTokens: 0,
    outputTokens: total == null ? output + reasoning : Math.max(output, total - before),
    thinkingTokens: reasoning,
    costUsd: cost == null || cost === 0 ? null : cost,
    isOutputFinal: true,
  }
}
