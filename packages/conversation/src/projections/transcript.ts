import type { AnswerBlock } from '../content.ts'
import type { Entry, EntryOf } from '../entry.ts'
import { namedFiles } from '../named-files.ts'
import type { Projection } from '../projection.ts'
import { type ActivePath, activePath, isInRanges, pathRanges } from './active-path.ts'
import { isLent } from './run-state.ts'
import type {
  ErasedItem,
  TranscriptCall,
  TranscriptItem,
  TranscriptItemOf,
  TranscriptPart,
  TranscriptPermission,
  TranscriptPlace,
  TranscriptQuestion,
  TranscriptUsage,
} from './transcript-item.ts'

/** What a person reads, on the path or set aside, oldest first. */
export interface Transcript {
  readonly items: readonly TranscriptItem[]
  readonly path: ActivePath
  /** Where the item of each step stands that later entries may still change: its calls are open, or its usage is awaited. */
  readonly openSteps: Readonly<Record<string, number>>
  /** The step that is being answered, where an agent answers it that has a name. [AGENT4] */
  readonly answering: { readonly stepId: string; readonly agent: AnsweringAgent } | null
}

/** Who answers a step. */
type AnsweringAgent = NonNullable<TranscriptItemOf<'assistant'>['agent']>

/** The transcript. [PRJ4] */
export const transcript: Projection<Transcript> = {
  name: 'transcript',
  version: 10,
  initial: { items: [], path: activePath.initial, openSteps: {}, answering: null },
  reduce(state, entries) {
    if (entries.length === 0) return state
    const batch: Batch = {
      items: state.items.slice(),
      openSteps: new Map(Object.entries(state.openSteps)),
      answering: state.answering,
    }
    for (const entry of entries) addEntry(batch, entry)
    return {
      items: batch.items,
      path: activePath.reduce(state.path, entries),
      openSteps: Object.fromEntries(batch.openSteps),
      answering: batch.answering,
    }
  },
}

/** The items on the active path. What was set aside stays in `items`. */
export function visibleItems(state: Pick<Transcript, 'items' | 'path'>): readonly TranscriptItem[] {
  if (state.path.segments.length === 1) return state.items
  const ranges = pathRanges(state.path)
  return state.items.filter((item) => item.role === 'accounting' || isInRanges(ranges, item.seq))
}

/** The batch's own copies, filled in place. */
interface Batch {
  readonly items: TranscriptItem[]
  readonly openSteps: Map<string, number>
  answering: Transcript['answering']
}

function addEntry(batch: Batch, entry: Entry): void {
  switch (entry.type) {
    case 'user-message-sent':
      batch.items.push({ ...place(entry), role: 'user', state: 'complete', runId: entry.runId, parts: entry.content })
      return
    case 'step-started':
      if (entry.purpose === 'title' || entry.purpose === 'checkpoint') {
        const role = entry.purpose === 'title' ? 'title-request' : 'summary-request'
        batch.items.push({ ...placeOfStep(entry), role, state: 'complete' })
        batch.openSteps.set(entry.stepId, batch.items.length - 1)
      } else if (!isLent(entry.purpose))
        batch.answering = entry.agent ? { stepId: entry.stepId, agent: entry.agent } : null
      return
    case 'step-finished':
      addAnswer(batch, entry)
      return
    case 'step-failed':
      if (batch.openSteps.has(entry.stepId))
        changeStep(batch, entry.stepId, (item) => (isOfStep(item) ? { ...item, state: 'failed' } : item))
      batch.items.push(failure(entry))
      return
    case 'tool-call-started':
      changeCall(batch, entry, (call) => startedCall(call, entry))
      return
    case 'permission-requested':
      changeCall(batch, entry, (call) => ({ ...call, state: 'waiting-for-permission', permission: asked(entry) }))
      return
    case 'permission-settled':
      answerPermission(batch, entry)
      return
    case 'question-asked':
      changeCall(batch, entry, (call) => ({ ...call, questions: [...(call.questions ?? []), openQuestion(entry)] }))
      return
    case 'question-settled':
      answerQuestion(batch, entry)
      return
    case 'tool-call-settled':
      changeCall(batch, entry, (call) => settledCall(call, entry))
      return
    case 'tool-result-late':
      changeCall(batch, entry, (call) => ({ ...call, late: entry.content }))
      return
    case 'files-changed':
      addChangedFiles(batch, entry)
      return
    case 'usage-recorded':
      if (entry.stepId !== undefined) changeStep(batch, entry.stepId, (item) => ({ ...item, usage: usageOf(entry) }))
      return
    case 'run-finished':
      closeSteps(batch, entry.runId)
      return
    case 'title-changed':
      batch.items.push({
        ...place(entry),
        role: 'title',
        state: 'complete',
        parts: [text(entry.title)],
        source: entry.source,
      })
      return
    case 'checkpoint-made':
      batch.items.push({
        ...place(entry),
        role: 'summary',
        state: 'complete',
        parts: [text(entry.summary)],
        source: entry.source,
        keptFromSeq: entry.keptFromSeq,
        coversFromSeq: entry.coversFromSeq,
        coversToSeq: entry.coversToSeq,
        verbatimSeqs: entry.verbatimSeqs,
        listedSeqs: entry.listedSeqs ?? [],
      })
      return
    case 'path-rewound': {
      const { type: code, reason, setAsideCount, totals } = entry
      const accounting = { reason, setAsideCount, totals }
      batch.items.push({ ...place(entry), role: 'accounting', state: 'complete', code, accounting })
      return
    }
    case 'conversation-archived': {
      const { type: code, reason, totals } = entry
      const accounting = { reason, totals }
      batch.items.push({ ...place(entry), role: 'accounting', state: 'complete', code, accounting })
      return
    }
    case 'notice-raised': {
      const { type: code, severity, until, model, window } = entry
      const raised = {
        code: entry.code,
        severity,
        ...(until === undefined ? {} : { until }),
        ...(model === undefined ? {} : { model }),
        ...(window === undefined ? {} : { window }),
      }
      const parts = [text(entry.text)]
      batch.items.push({ ...place(entry), role: 'notice', state: 'complete', code, parts, raised })
      return
    }
    case 'checkpoint-undone': {
      const { type: code, checkpointSeq } = entry
      batch.items.push({ ...place(entry), role: 'notice', state: 'complete', code, checkpointSeq })
      return
    }
    case 'window-moved': {
      const { type: code, startSeq, leftOutCount } = entry
      batch.items.push({ ...place(entry), role: 'notice', state: 'complete', code, startSeq, leftOutCount })
      return
    }
    case 'agent-switched':
      // The agent that a conversation begins with stands directly behind its beginning, and replaces nobody.
      if (entry.seq > 2) batch.items.push(switched(entry))
      return
    case 'body-erased':
      addErased(batch, entry)
      return
    default:
      return
  }
}

/** What a call changed stands with the call; what a person brought back, by itself. */
function addChangedFiles(batch: Batch, entry: Entry & EntryOf<'files-changed'>): void {
  const { callId, restores, conflicts } = entry
  const changed = namedFiles(entry.changes).map(({ path, kind, entity, seen }) => ({
    path,
    kind,
    ...(entity ? { entity } : {}),
    ...(seen ? { seen } : {}),
  }))
  if (restores !== undefined)
    batch.items.push({
      ...place(entry),
      role: 'notice',
      state: 'complete',
      code: 'files-restored',
      restores,
      changed,
      conflictCount: conflicts?.length ?? 0,
    })
  if (callId === undefined) return
  const index = batch.items.findLastIndex(({ toolCalls }) => toolCalls.some((call) => call.callId === callId))
  const item = batch.items[index]
  if (!item) return
  const toolCalls = item.toolCalls.map((call) =>
    call.callId === callId ? { ...call, changedFiles: [...(call.changedFiles ?? []), ...changed] } : call,
  )
  batch.items[index] = { ...item, toolCalls }
}

function addAnswer(batch: Batch, entry: EntryOf<'step-finished'>): void {
  const parts = entry.blocks.filter((block) => block.type !== 'tool-call')
  const requested = batch.openSteps.get(entry.stepId)
  if (requested !== undefined) {
    const state = entry.cut ?? 'complete'
    changeStep(batch, entry.stepId, (item) => (isOfStep(item) ? { ...item, parts, state } : item))
    return
  }
  const toolCalls = entry.blocks.filter((block) => block.type === 'tool-call').map(pendingCall)
  const answering = batch.answering?.stepId === entry.stepId ? batch.answering : null
  batch.items.push({
    ...placeOfStep(entry),
    role: 'assistant',
    state: entry.cut ?? 'complete',
    parts,
    toolCalls,
    finish: entry.finish,
    ...(entry.thinkingMs === undefined ? {} : { thinkingMs: entry.thinkingMs }),
    ...(answering ? { agent: answering.agent } : {}),
  })
  batch.openSteps.set(entry.stepId, batch.items.length - 1)
}

function pendingCall({
  callId,
  name,
  inputText,
  complete,
}: Extract<AnswerBlock, { type: 'tool-call' }>): TranscriptCall {
  return {
    callId,
    name,
    inputText,
    complete,
    state: 'pending',
    outcome: null,
    output: [],
    blob: null,
    resultSeq: null,
    startedAt: null,
    durationMs: null,
    childConversationId: null,
    permission: null,
    late: null,
  }
}

function asked({ requestId, reason, at }: EntryOf<'permission-requested'>): TranscriptPermission {
  return { requestId, reason, requestedAt: at, settled: null }
}

function openQuestion({ questionId, source, message, wish, at }: EntryOf<'question-asked'>): TranscriptQuestion {
  return { questionId, source, message, wish, askedAt: at, settled: null }
}

/** An answer names its question and not the call: that is found among the steps that are open. */
function answerQuestion(batch: Batch, entry: Entry & EntryOf<'question-settled'>): void {
  const { questionId, outcome, by, content, at } = entry
  const settled = { outcome, by, at, ...(content === undefined ? {} : { content }) }
  for (const index of batch.openSteps.values()) {
    const item = batch.items[index]
    if (!item?.toolCalls.some(({ questions }) => questions?.some((question) => question.questionId === questionId)))
      continue
    const toolCalls = item.toolCalls.map((call) => ({
      ...call,
      ...(call.questions
        ? { questions: call.questions.map((one) => (one.questionId === questionId ? { ...one, settled } : one)) }
        : {}),
    }))
    batch.items[index] = { ...item, toolCalls }
  }
}

/** An answer names its request and not the call: that is found among the steps that are open. */
function answerPermission(batch: Batch, entry: Entry & EntryOf<'permission-settled'>): void {
  const { requestId, outcome, by, scope, reason, at } = entry
  const settled = { outcome, by, at, ...(scope ? { scope } : {}), ...(reason === undefined ? {} : { reason }) }
  for (const index of batch.openSteps.values()) {
    const item = batch.items[index]
    if (!item?.toolCalls.some(({ permission }) => permission?.requestId === requestId)) continue
    const toolCalls = item.toolCalls.map((call) =>
      call.permission?.requestId === requestId
        ? { ...call, state: stateAfter(call), permission: { ...call.permission, settled } }
        : call,
    )
    batch.items[index] = { ...item, toolCalls }
  }
}

/** An answered call waits for its start, unless something else has become of it. */
function stateAfter({ state }: TranscriptCall): TranscriptCall['state'] {
  return state === 'waiting-for-permission' ? 'pending' : state
}

function startedCall(call: TranscriptCall, entry: Entry & EntryOf<'tool-call-started'>): TranscriptCall {
  return { ...call, state: 'running', startedAt: entry.at, childConversationId: entry.childConversationId ?? null }
}

function settledCall(call: TranscriptCall, entry: EntryOf<'tool-call-settled'>): TranscriptCall {
  return {
    ...call,
    state: 'settled',
    outcome: entry.outcome,
    output: entry.content,
    blob: entry.blob ?? null,
    resultSeq: entry.seq,
    durationMs: entry.durationMs,
    ...(entry.limitMs === undefined ? {} : { limitMs: entry.limitMs }),
  }
}

function switched(entry: Entry & EntryOf<'agent-switched'>): TranscriptItem {
  const { type: code, agentId, agentName, avatar } = entry
  return {
    ...place(entry),
    role: 'notice',
    state: 'complete',
    code,
    parts: [text(agentName)],
    agentId,
    agentName,
    ...(avatar === undefined ? {} : { avatar }),
  }
}

function failure(entry: Entry & EntryOf<'step-failed'>): TranscriptItem {
  return {
    ...placeOfStep(entry),
    role: 'error',
    state: 'failed',
    parts: [text(entry.error.message)],
    code: entry.error.code,
    attempt: entry.attempt,
    retryAt: entry.retryAt ?? null,
  }
}

/** Which role the erased body had is not known any more, except for what a person or the model said. */
function addErased(batch: Batch, entry: Entry & EntryOf<'body-erased'>): void {
  const { erasedType, reason, erasedAt, erasedBy, together } = entry
  const { runId = null, stepId = null, callId } = entry.of
  const erasure = {
    reason,
    erasedAt,
    ...(erasedBy === undefined ? {} : { erasedBy }),
    ...(together === undefined ? {} : { together }),
  }
  if (erasedType === 'tool-call-settled' && stepId !== null && callId !== undefined) {
    changeCall(batch, { stepId, callId }, (call) => ({ ...call, state: 'settled' }))
    return
  }
  if (erasedType === 'step-finished' && stepId !== null && batch.openSteps.has(stepId)) {
    changeStep(batch, stepId, (item) => (isOfStep(item) ? erasedStep(item, erasure) : item))
    return
  }
  const role = erasedRole(erasedType)
  if (!role) return
  batch.items.push({ ...place(entry), role, state: 'erased', runId, stepId, erasure })
  if (role === 'assistant' && stepId !== null) batch.openSteps.set(stepId, batch.items.length - 1)
}

function erasedStep(item: StepItem, erasure: ErasedItem['erasure']): ErasedItem {
  const { seq, at, role, runId, stepId, parts, toolCalls, usage } = item
  return { seq, at, role, state: 'erased', runId, stepId, parts, toolCalls, usage, erasure }
}

function erasedRole(type: string): ErasedItem['role'] | null {
  if (type === 'user-message-sent') return 'user'
  if (type === 'step-finished') return 'assistant'
  if (type === 'checkpoint-made') return 'summary'
  if (type === 'title-changed') return 'title'
  if (type === 'notice-raised') return 'notice'
  if (type === 'step-failed') return 'error'
  return null
}

function changeCall(
  batch: Batch,
  { stepId, callId }: { stepId: string; callId: string },
  change: (call: TranscriptCall) => TranscriptCall,
): void {
  changeStep(batch, stepId, (item) => ({
    ...item,
    toolCalls: item.toolCalls.map((call) => (call.callId === callId ? change(call) : call)),
  }))
}

function changeStep(batch: Batch, stepId: string, change: (item: TranscriptItem) => TranscriptItem): void {
  const index =
    batch.openSteps.get(stepId) ?? batch.items.findLastIndex((item) => item.stepId === stepId && item.role !== 'error')
  const item = batch.items[index]
  if (item) batch.items[index] = change(item)
}

/** The steps of an ended run are changed only by what comes late; those are found by a search from the end. */
function closeSteps(batch: Batch, runId: string): void {
  for (const [stepId, index] of batch.openSteps) {
    if (batch.items[index]?.runId === runId) batch.openSteps.delete(stepId)
  }
}

/** An item that stands for what a model was asked. */
type StepItem = TranscriptItemOf<'assistant' | 'title-request' | 'summary-request'>

function isOfStep(item: TranscriptItem): item is StepItem {
  const { role, state } = item
  return state !== 'erased' && (role === 'assistant' || role === 'title-request' || role === 'summary-request')
}

function place({ seq, at }: Entry): TranscriptPlace {
  return { seq, at, runId: null, stepId: null, parts: [], toolCalls: [], usage: null }
}

function placeOfStep(entry: Entry & { readonly runId: string; readonly stepId: string }): TranscriptPlace {
  return { ...place(entry), runId: entry.runId, stepId: entry.stepId }
}

function text(words: string): TranscriptPart {
  return { type: 'text', text: words }
}

/** What a reader is shown of a record of the ledger. */
function usageOf(entry: EntryOf<'usage-recorded'>): TranscriptUsage {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = entry
  const { outputTokens, thinkingTokens, costUsd, measured, providerId, modelId, priceReference } = entry
  return {
    inputTokens,
    cacheReadTokens,
    cacheCreation5mTokens,
    cacheCreation1hTokens,
    outputTokens,
    thinkingTokens,
    costUsd,
    measured,
    providerId,
    modelId,
    priceReference,
  }
}
