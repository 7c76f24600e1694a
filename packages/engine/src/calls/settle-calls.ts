import {
  addTotals,
  type CallDecision,
  type EntryOf,
  type NewEntry,
  type OpenRun,
  type Overview,
} from '@holdfast/conversation'
import {
  type CallEffect,
  type CallResult,
  callLimits,
  isReadOnly,
  type LateResult,
  mayBringStrangers,
  runCall,
  settledUnrun,
  type Tool,
} from '@holdfast/tool'
import { callOffQuestions } from '../log/end-run.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { readOverview } from '../log/log-states.ts'
import type { RunAtWork } from '../log/run-at-work.ts'
import { settingsOfLog } from '../log/settings-in-force.ts'
import { storeBlobSink } from '../log/store-blob-sink.ts'
import { type Asking, createAsking, endedBy } from './ask-person.ts'
import { effectsOf } from './call-effects.ts'
import { type CallJudge, isJudgedBy, type JudgedCall, type JudgedCalls } from './judge-open-calls.ts'

/**
 * Brings the open calls of a run one group further: what has to be asked is asked, all at once, and the calls whose
 * turn it is run. Neighbours that only read run side by side; a call with effects waits for all before it, also for
 * one that waits for a person. A denial or a failure stops no other call; a stop does: what runs is aborted, and what
 * waits its turn is not started. [TOOL7, PERM3, PERM4, STOP5]
 */
export async function settleCalls(atWork: RunAtWork, run: OpenRun, judge: CallJudge): Promise<void> {
  const judged = await judge.judge(run)
  await ask(atWork, judged)
  const asking = createAsking(atWork, run)
  await Promise.all(firstGroup(judged.calls).map((call) => settleCall(atWork, call, { state: judged.state, asking })))
  // What a call was lent the model for ends with the call; its record stands before what comes next.
  await asking.idle()
}

/** Asks about every call that needs it, in one append; nobody is asked after a stop. [STOP6] */
async function ask(atWork: RunAtWork, { calls, state }: JudgedCalls): Promise<void> {
  const { ports, log, runId, epoch, signal, ownerId: userId } = atWork
  const { conversationId } = log
  const about = await Promise.all(
    calls.map(async ({ call, tool, verdict }) => (verdict.type === 'asks' ? tool?.askedAbout?.(call) : undefined)),
  )
  const asked = calls.flatMap(({ open, call, verdict }, index) => {
    if (verdict.type !== 'asks') return []
    const { decision } = verdict
    const named = about[index] ?? null
    const requestId = ports.ids.next('permission')
    const request: NewEntry = {
      type: 'permission-requested',
      actor: ENGINE,
      runId,
      stepId: open.stepId,
      requestId,
      userId,
      callId: call.callId,
      tool: call.name,
      input: call.input,
      reason: named === null ? decision.reason : `${decision.reason} ${named.words}`,
      source: decision.source,
      ...(decision.guard === null ? {} : { guard: decision.guard }),
      ...(named === null ? {} : { pinned: named.pinned }),
    }
    return [{ request, told: { conversationId, requestId, userId, call, decision } }]
  })
  if (asked.length === 0) return
  const { entries } = await log.append({ epoch, command: null, dropDraft: null }, (now) =>
    mayAct(signal, state, now) ? asked.map(({ request }) => request) : [],
  )
  if (entries.length > 0) for (const { told } of asked) ports.onAsked?.(told)
}

/** The calls at the front that may be settled side by side. */
function firstGroup(calls: readonly JudgedCall[]): readonly JudgedCall[] {
  const firstEffect = calls.findIndex(({ tool }) => !reads(tool))
  return firstEffect < 0 ? calls : calls.slice(0, Math.max(1, firstEffect))
}

function reads(tool: Tool | undefined): boolean {
  return tool !== undefined && isReadOnly(tool.definition)
}

/** What calls that are settled side by side share. */
interface Beside {
  /** The state by which they were judged. */
  readonly state: Overview
  readonly asking: Asking
}

async function settleCall(atWork: RunAtWork, judged: JudgedCall, beside: Beside): Promise<void> {
  const { call, verdict } = judged
  if (verdict.type === 'asks' || verdict.type === 'waits') return
  if (atWork.signal.aborted) {
    const result = settledUnrun(call, 'not-started', 'The run was stopped before this call began.')
    return settle(atWork, judged, { result, said: {} })
  }
  switch (verdict.type) {
    case 'cannot-run':
      return settle(atWork, judged, { result: settledUnrun(call, 'error', verdict.text), said: {} })
    case 'denied': {
      const { decision, text } = verdict
      return settle(atWork, judged, { result: settledUnrun(call, 'denied', text), said: { decision } })
    }
    case 'runs':
      return runAndSettle(atWork, { judged, decision: verdict.decision, beside })
  }
}

interface Running {
  readonly judged: JudgedCall
  /** Null for a call that is answered with what is wrong with it. */
  readonly decision: CallDecision | null
  readonly beside: Beside
}

/** Runs a call once its intent is durable; one that what allowed it holds no more for stays open. [TOOL6, PERM8] */
async function runAndSettle(
  atWork: RunAtWork,
  { judged, decision, beside: { state, asking } }: Running,
): Promise<void> {
  const { ports, log, signal } = atWork
  const { open, call, tool } = judged
  const { conversationId } = log
  let childId: string | null = null
  if (decision !== null) {
    childId = (await tool?.childConversationOf?.(call)) ?? null
    if (!(await begin(atWork, { judged, decision, childId, judgedBy: state }))) return
  }
  const result = await runCall({
    tool,
    call,
    signal,
    clock: ports.clock,
    limits: callLimits(settingsOfLog(ports, log.overview().settings)),
    person: asking.personOf(open),
    blobSink: storeBlobSink(ports, { conversationId, ownerId: atWork.ownerId }),
    onProgress: (message) => ports.bus.publish({ type: 'progress', conversationId, callId: call.callId, message }),
    onLate: (late) => void noteLate(atWork, judged, late),
    onLateEffect: (effect) => void noteLateEffect(atWork, judged, effect),
  })
  await settle(atWork, judged, { result, said: await saidOf(atWork, { judged, result, childId }) })
}

interface Ran {
  readonly judged: JudgedCall
  readonly result: CallResult
  /** The conversation that it ran; null for none. */
  readonly childId: string | null
}

/** What a settlement says beside its result. */
type Said = Pick<Partial<EntryOf<'tool-call-settled'>>, 'decision' | 'childTotals' | 'foundTools'>

/** What a call that ran has found, or what its sub-agent has cost. [TOOL10, AGENT3] */
async function saidOf({ ports }: RunAtWork, { judged: { call, tool }, result, childId }: Ran): Promise<Said> {
  const found = result.outcome === 'ok' ? tool?.finds?.(call.input) : undefined
  if (found !== undefined && found.length > 0) return { foundTools: [...found] }
  if (childId === null || result.outcome === 'not-started') return {}
  const { ledger } = (await readOverview(ports.store, childId)).state
  return { childTotals: addTotals(ledger.total, ledger.subAgents) }
}

interface Settled {
  readonly result: CallResult
  readonly said: Said
}

async function settle(
  atWork: RunAtWork,
  { open, call, tool, verdict }: JudgedCall,
  { result, said }: Settled,
): Promise<void> {
  const { callId, stepId, name } = open
  const { outcome, content, blob, effects, durationMs, limitMs } = result
  const { runId } = atWork
  const brings = tool !== undefined && mayBringStrangers(tool.definition, call.input)
  const isReviewed = verdict.type === 'runs' && verdict.decision?.requestId !== undefined
  const { entries, strangers } = await effectsOf(atWork, { callId, name, brings, isReviewed, effects })
  const settlement: NewEntry = {
    type: 'tool-call-settled',
    actor: ENGINE,
    runId,
    stepId,
    callId,
    name,
    outcome,
    content: [...content],
    durationMs,
    ...(blob === undefined ? {} : { blob }),
    ...(limitMs === undefined ? {} : { limitMs }),
    ...said,
    ...(strangers.length === 0 ? {} : { strangers: [...strangers] }),
  }
  await atWork.log.append({ epoch: atWork.epoch, command: null, dropDraft: null }, (state) => [
    ...callOffQuestions(state, { runId, callId }, endedBy(atWork, state)),
    settlement,
    ...entries,
  ])
}

/**
 * What comes after the end is shown. The next run may hold a lease of its own by then: that a tool returned is a fact of
 * the process that ran it, like what a person sends, and needs none. [TOOL4]
 */
async function noteLate(
  atWork: RunAtWork,
  { open: { callId, stepId, name } }: JudgedCall,
  late: LateResult,
): Promise<void> {
  const { content, durationMs } = late
  const { runId } = atWork
  try {
    await atWork.log.append({ epoch: null, command: null, dropDraft: null }, () => [
      { type: 'tool-result-late', actor: ENGINE, runId, stepId, callId, name, content: [...content], durationMs },
    ])
  } catch (error) {
    atWork.onFault(error)
  }
}

/** What a tool does after its call has settled is done as well; of its words nothing reaches the model. [TOOL4, WS1] */
async function noteLateEffect(
  atWork: RunAtWork,
  { open: { callId, name } }: JudgedCall,
  effect: CallEffect,
): Promise<void> {
  try {
    const { entries } = await effectsOf(atWork, { callId, name, brings: true, isReviewed: false, effects: [effect] })
    if (entries.length > 0) await atWork.log.append({ epoch: null, command: null, dropDraft: null }, () => entries)
  } catch (error) {
    atWork.onFault(error)
  }
}

/** A call that is about to start. */
interface Beginning {
  readonly judged: JudgedCall
  readonly decision: CallDecision
  /** The conversation that it will run; null for none. */
  readonly childId: string | null
  readonly judgedBy: Overview
}

/**
 * Writes down the intent, durable before the tool starts. After a stop nothing starts: the call finds its signal
 * aborted, and did not begin. [TOOL6, STOP2] Where a mode or a rule has changed since the call was judged, it is judged
 * again. [PERM8]
 *
 * @returns false for a call that is judged again.
 */
async function begin(atWork: RunAtWork, { judgedBy, ...beginning }: Beginning): Promise<boolean> {
  const { log, epoch, signal } = atWork
  const { entries } = await log.append({ epoch, command: null, dropDraft: null }, (now) =>
    mayAct(signal, judgedBy, now) ? [...noticeOf(atWork, now, beginning.judged.tool), started(atWork, beginning)] : [],
  )
  return entries.length > 0 || signal.aborted
}

/** Whether what was decided about calls may be acted on: nothing stopped them, and what decides is what it was. */
function mayAct({ aborted }: AbortSignal, judgedBy: Overview, now: Overview): boolean {
  return !aborted && isJudgedBy(judgedBy, now)
}

function started({ runId }: RunAtWork, { judged, decision, childId }: Omit<Beginning, 'judgedBy'>): NewEntry {
  const { open, call, tool } = judged
  const { callId, stepId, name } = open
  return {
    type: 'tool-call-started',
    actor: ENGINE,
    runId,
    stepId,
    callId,
    name,
    input: call.input,
    effects: !reads(tool),
    strangers: tool !== undefined && mayBringStrangers(tool.definition, call.input),
    decision,
    ...(childId === null ? {} : { childConversationId: childId }),
  }
}

/** What a person should know of a tool, before it runs for the first time. [RUN13] */
function noticeOf({ runId }: RunAtWork, { notices }: Overview, tool: Tool | undefined): NewEntry[] {
  if (!tool?.notice || notices.some(({ code }) => code === tool.notice?.code)) return []
  return [{ type: 'notice-raised', actor: ENGINE, severity: 'warning', runId, ...tool.notice }]
}
