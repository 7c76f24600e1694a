import type { Entry, EntryOf, Json } from '@holdfast/conversation'
import type { ServerFrame } from '@holdfast/protocol'
import { addUsage, NO_USAGE, type UsedTokens } from '../used-tokens.ts'
import { itemIdOf } from './response-ids.ts'
import {
  type ClientCall,
  clientCallOf,
  type ResponseItem,
  serverCallOf,
  waitItemOf,
  waitWords,
} from './response-items.ts'
import { createStepItems } from './step-items.ts'
import { createToldEvents, type ResponseEvent, type ToldEvents } from './told-events.ts'

/** Which part of a conversation is told: the turn of an input, or what a run does next. */
export type ToldPart =
  | { readonly type: 'input'; readonly inputId: string }
  | { readonly type: 'run'; readonly runId: string }

/** How an answer is, as far as it was told. */
export interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
  readonly output: readonly ResponseItem[]
  readonly usage: UsedTokens
  readonly modelId: string | null
  /** Why there is no more of it: for `incomplete` and `failed`. */
  readonly reason: string | null
}

/** An answer as events, from what a follower of its conversation is sent. */
export interface ResponseEvents {
  take(frame: ServerFrame): readonly ResponseEvent[]
  takeEntry(entry: Entry): void
  state(): ResponseState
  runId(): string | null
  isDone(): boolean
}

interface ResponseEventsDeps {
  readonly conversationId: string
  readonly told: ToldPart
  /** The number of the last event that the client has; null for none. */
  readonly startingAfter: number | null
  /** The answer as the events of its beginning and end hold it. */
  readonly toResponse: (state: ResponseState) => Json
  /** Told of what waits for a person: over this protocol nobody can be asked. */
  readonly onQuestion: (asked: EntryOf<'permission-requested'> | EntryOf<'question-asked'>) => void
}

type Ended = Pick<ResponseState, 'status'> & { readonly reason?: string }

/** Tells an answer: item by item, each piece of text once, in an order that does not depend on how it came. [SYNC1, SYNC18] */
export function createResponseEvents(deps: ResponseEventsDeps): ResponseEvents {
  const { conversationId, told, startingAfter, toResponse, onQuestion } = deps
  const events = createToldEvents(startingAfter)
  const step = createStepItems(conversationId, events)
  let runId = told.type === 'run' ? told.runId : null
  let status: ResponseState['status'] = 'in_progress'
  let reason: string | null = null
  let usage = NO_USAGE
  let modelId: string | null = null
  let finish: EntryOf<'step-finished'>['finish'] = 'end'
  /** The input of the calls of the answer, those of them that have no outcome, and those that the client has. */
  const inputs = new Map<string, string>()
  const open = new Set<string>()
  const handedOver = new Set<string>()

  const state = (): ResponseState => ({ status, output: events.output(), usage, modelId, reason })

  function takeOwn(entry: Entry): void {
    switch (entry.type) {
      case 'step-started':
        if (entry.purpose !== 'turn') return
        modelId = entry.modelId
        step.begin(entry.stepId)
        return
      case 'step-finished':
        if (entry.stepId !== step.stepId()) return
        step.finish(entry.blocks)
        finish = entry.finish
        for (const block of entry.blocks) if (block.type === 'tool-call' && block.complete) openCall(block)
        return
      case 'tool-call-started':
        if (entry.runsAt === 'client') tellClientCall(entry)
        return
      case 'tool-call-settled':
        tellServerCall(entry)
        return
      case 'usage-recorded':
        usage = addUsage(usage, entry)
        return
      case 'permission-requested':
      case 'question-asked':
        tellWait(events, entry)
        onQuestion(entry)
        return
      case 'run-finished':
        end(endOf(entry, finish))
        return
      default:
        return
    }
  }

  function openCall({ callId, inputText }: { readonly callId: string; readonly inputText: string }): void {
    inputs.set(callId, inputText)
    open.add(callId)
  }

  /** A call reaches the client once the log has it as handed over: one of a run that was stopped before never does. [TOOL18] */
  function tellClientCall(entry: EntryOf<'tool-call-started'>): void {
    const { stepId, callId } = entry
    handedOver.add(callId)
    tellCall(events, clientCallOf({ conversationId, stepId }, entry, inputs.get(callId) ?? ''))
    if ([...open].every((openId) => handedOver.has(openId))) end({ status: 'completed' })
  }

  function tellServerCall(entry: EntryOf<'tool-call-settled'>): void {
    const { stepId, callId } = entry
    open.delete(callId)
    const inputText = inputs.get(callId)
    if (handedOver.has(callId) || inputText === undefined) return
    const item = serverCallOf({ conversationId, stepId }, entry, inputText)
    events.close(events.open({ ...item, status: 'in_progress', output: null, error: null }), item)
  }

  function end(ended: Ended): void {
    if (status !== 'in_progress') return
    status = ended.status
    reason = ended.reason ?? null
    // The stream of OpenAI has no event for a cancelled response: the only end that holds one with a part of its words is this.
    const type = status === 'cancelled' ? 'incomplete' : status
    events.tellLast(`response.${type}`, { response: toResponse(state()) })
  }

  /** An answer that never begins ends as well. */
  function findRun(entry: Entry, inputId: string): void {
    if (entry.type === 'user-message-sent' && entry.inputId === inputId) runId = entry.runId
    if (entry.type === 'input-removed' && entry.inputId === inputId)
      end({ status: 'failed', reason: 'The message was taken out of the queue' })
    if (entry.type === 'queue-held')
      end({ status: 'failed', reason: `The message waits: the queue is held (${entry.reason})` })
  }

  function takeEntry(entry: Entry): void {
    begin()
    if (status !== 'in_progress') return
    if (told.type === 'input' && runId === null) findRun(entry, told.inputId)
    if ('runId' in entry && entry.runId !== undefined && entry.runId === runId) takeOwn(entry)
  }

  function begin(): void {
    if (events.isBegun()) return
    events.tell('response.created', { response: toResponse(state()) })
    events.tell('response.in_progress', { response: toResponse(state()) })
  }

  return {
    takeEntry,
    take(frame) {
      begin()
      if (frame.type === 'entries') for (const entry of frame.entries) takeEntry(entry)
      if (frame.type === 'refused') end({ status: 'failed', reason: frame.problem.detail })
      if (status === 'in_progress' && frame.type === 'draft') step.seeDraft(frame)
      if (status === 'in_progress' && frame.type === 'delta') step.seeDelta(frame)
      return events.drain()
    },
    state,
    runId: () => runId,
    isDone: () => status !== 'in_progress',
  }
}

/** Told to everybody in the same place, also where it is denied at once: the numbers of what follows count it. */
function tellWait(events: ToldEvents, asked: EntryOf<'permission-requested'> | EntryOf<'question-asked'>): void {
  const id = itemIdOf('rs', asked, `wait_${asked.seq}`)
  const text = waitWords(asked)
  const place = { ...events.open(waitItemOf(id, null)), summary_index: 0 }
  events.tell('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } })
  events.tellPiece('response.reasoning_summary_text.delta', text, { ...place })
  events.tell('response.reasoning_summary_text.done', { ...place, text })
  events.tell('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } })
  events.close(place, waitItemOf(id, text))
}

function tellCall(events: ToldEvents, { begun, whole, events: kind, field, text }: ClientCall): void {
  const place = events.open(begun)
  events.tellPiece(`${kind}.delta`, text, { ...place })
  events.tell(`${kind}.done`, { ...place, name: whole['name'] ?? '', [field]: text })
  events.close(place, whole)
}

function endOf({ outcome, reason }: EntryOf<'run-finished'>, finish: EntryOf<'step-finished'>['finish']): Ended {
  switch (outcome) {
    case 'completed':
      return { status: 'completed' }
    case 'stopped':
      return { status: 'cancelled' }
    case 'limit':
    case 'failed':
    case 'interrupted':
      if (outcome === 'limit' && finish === 'length') return { status: 'incomplete', reason: 'max_output_tokens' }
      if (finish === 'refused') return { status: 'incomplete', reason: 'content_filter' }
      return { status: 'failed', reason: reason ?? `The turn ended: ${outcome}` }
  }
}
