import type { AnswerBlock } from '../content.ts'
import type { Entry, EntryOf } from '../entry.ts'
import { namedFiles } from '../named-files.ts'
import type { Projection } from '../projection.ts'
import { type ActivePath, activePath, isInRanges, pathRanges } from './active-path.ts'
import type {
  TranscriptCall,
  TranscriptItem,
  TranscriptPart,
  TranscriptPermission,
  TranscriptQuestion,
  TranscriptRole,
} from './transcript-item.ts'
import { usageOf } from './transcript-usage.ts'

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
type AnsweringAgent = NonNullable<EntryOf<'step-started'>['agent']>

/** The transcript. [PRJ4] */
export const transcript: Projection<Transcript> = {
  name: 'transcript',
  version: 7,
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
      batch.items.push({ ...blank(entry, 'user'), runId: entry.runId, parts: entry.content })
      return
    case 'step-started':
      if (entry.purpose === 'title')
        batch.items.push({ ...blank(entry, 'title-request'), runId: entry.runId, stepId: entry.stepId })
      if (entry.purpose === 'checkpoint')
        batch.items.push({ ...blank(entry, 'summary-request'), runId: entry.runId, stepId: entry.stepId })
      if (entry.purpose === 'title' || entry.purpose === 'checkpoint')
        batch.openSteps.set(entry.stepId, batch.items.length - 1)
      else batch.answering = entry.agent ? { stepId: entry.stepId, agent: entry.agent } : null
      return
    case 'step-finished':
      addAnswer(batch, entry)
      return
    case 'step-failed':
      if (batch.openSteps.has(entry.stepId)) changeStep(batch, entry.stepId, (item) => ({ ...item, state: 'failed' }))
      batch.items.push({ ...failure(entry), runId: entry.runId, stepId: entry.stepId })
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
      batch.items.push({ ...blank(entry, 'title'), parts: [text(entry.title)], detail: { source: entry.source } })
      return
    case 'checkpoint-made':
      batch.items.push({
        ...blank(entry, 'summary'),
        parts: [text(entry.summary)],
        detail: {
          ...{ source: entry.source, keptFromSeq: entry.keptFromSeq },
          ...{ coversFromSeq: entry.coversFromSeq, coversToSeq: entry.coversToSeq },
          ...{ verbatimSeqs: entry.verbatimSeqs, listedSeqs: entry.listedSeqs ?? [] },
        },
      })
      return
    case 'path-rewound':
      batch.items.push({
        ...blank(entry, 'accounting'),
        detail: { reason: entry.reason, setAsideCount: entry.setAsideCount, totals: entry.totals },
      })
      return
    case 'conversation-archived':
      batch.items.push({ ...blank(entry, 'accounting'), detail: { reason: entry.reason, totals: entry.totals } })
      return
    case 'notice-raised':
      batch.items.push({
        ...blank(entry, 'notice'),
        parts: [text(entry.text)],
        detail: { code: entry.code, severity: entry.severity },
      })
      return
    case 'checkpoint-undone':
      batch.items.push({ ...blank(entry, 'notice'), detail: { code: entry.type, checkpointSeq: entry.checkpointSeq } })
      return
    case 'window-moved':
      batch.items.push({
        ...blank(entry, 'notice'),
        detail: { code: entry.type, startSeq: entry.startSeq, leftOutCount: entry.leftOutCount },
      })
      return
    case 'agent-switched':
      // The agent that a conversation begins with stands directly behind its beginning, and replaces nobody.
      if (entry.seq > 2)
        batch.items.push({ ...blank(entry, 'notice'), parts: [text(entry.agentName)], detail: { code: entry.type } })
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
  const changed = namedFiles(entry.changes).map(({ path, kind, entity }) => ({
    path,
    kind,
    ...(entity ? { entity } : {}),
  }))
  if (restores !== undefined)
    batch.items.push({
      ...blank(entry, 'notice'),
      detail: { code: 'files-restored', restores, changed, conflictCount: conflicts?.length ?? 0 },
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
    changeStep(batch, entry.stepId, (item) => ({ ...item, parts, state: entry.cut ?? 'complete' }))
    return
  }
  const toolCalls = entry.blocks.filter((block) => block.type === 'tool-call').map(pendingCall)
  const answering = batch.answering?.stepId === entry.stepId ? batch.answering : null
  batch.items.push({
    ...blank(entry, 'assistant'),
    state: entry.cut ?? 'complete',
    runId: entry.runId,
    stepId: entry.stepId,
    parts,
    toolCalls,
    detail: { finish: entry.finish, ...(answering ? { agent: answering.agent } : {}) },
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
  }
}

function failure(entry: EntryOf<'step-failed'>): TranscriptItem {
  return {
    ...blank(entry, 'error'),
    state: 'failed',
    parts: [text(entry.error.message)],
    detail: { code: entry.error.code, attempt: entry.attempt, retryAt: entry.retryAt ?? null },
  }
}

/** Which role the erased body had is not known any more, except for what a person or the model said. */
function addErased(batch: Batch, entry: EntryOf<'body-erased'>): void {
  const { erasedType, reason, erasedAt, erasedBy, together } = entry
  const { runId = null, stepId = null, callId } = entry.of
  const receipt = {
    ...{ reason, erasedAt },
    ...(erasedBy === undefined ? {} : { erasedBy }),
    ...(together === undefined ? {} : { together }),
  }
  const erased = { state: 'erased' as const, detail: receipt }
  if (erasedType === 'tool-call-settled' && stepId !== null && callId !== undefined) {
    changeCall(batch, { stepId, callId }, (call) => ({ ...call, state: 'settled' }))
    return
  }
  if (erasedType === 'step-finished' && stepId !== null && batch.openSteps.has(stepId)) {
    changeStep(batch, stepId, (item) => ({ ...item, ...erased }))
    return
  }
  const role = erasedRole(erasedType)
  if (!role) return
  batch.items.push({ ...blank(entry, role), ...erased, runId, stepId })
  if (role === 'assistant' && stepId !== null) batch.openSteps.set(stepId, batch.items.length - 1)
}

function erasedRole(type: string): TranscriptRole | null {
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

function blank(entry: Entry, role: TranscriptRole): TranscriptItem {
  return {
    seq: entry.seq,
    at: entry.at,
    role,
    state: 'complete',
    runId: null,
    stepId: null,
    parts: [],
    toolCalls: [],
    usage: null,
    detail: {},
  }
}

function text(words: string): TranscriptPart {
  return { type: 'text', text: words }
}
