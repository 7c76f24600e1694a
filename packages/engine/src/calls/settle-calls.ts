import type { CallDecision, EntryOf, NewEntry, OpenRun, Overview } from '@holdfast/conversation'
import {
  type CallEffect,
  type CallResult,
  callLimits,
  type LateResult,
  mayBringStrangers,
  runCall,
  settledUnrun,
  type Tool,
} from '@holdfast/tool'
import { settingsOfLog } from '../chosen/settings-in-force.ts'
import { storeBlobSink } from '../chosen/store-blob-sink.ts'
import { totalsWithSubAgents } from '../chosen/sub-agents.ts'
import { callOffQuestions } from '../live/end-run.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { readOverview } from '../log/log-states.ts'
import { type Asking, createAsking, endedBy } from './ask-person.ts'
import { answeredMeanwhile, firstGroup, isOpenYet, mayBeginBeside, reads } from './beside-calls.ts'
import { effectsOf } from './call-effects.ts'
import type { CallJudge, JudgedCall } from './judge-open-calls.ts'
import { mayAct, requestPermissions } from './request-permissions.ts'

/**
 * Brings the open calls of a run one group further: what has to be asked is asked, all at once, and the calls whose
 * turn it is run. Neighbours that only read run side by side; a call with effects waits for all before it, also for
 * one that waits for a person. A denial or a failure stops no other call; a stop does: what runs is aborted, and what
 * waits its turn is not started. Calls that run apart, and those of an agent, begin beside the others, also while those run.
 * [TOOL7, PERM3, PERM4, STOP5, AGENT59, AGENT73]
 *
 * @returns why the run must end: a call that cannot be run came back too often, so that nobody can be asked about it; else null. [RUN8]
 */
export async function settleCalls(atWork: RunAtWork, run: OpenRun, judge: CallJudge): Promise<string | null> {
  const group = new AbortController()
  const together = { ...atWork, signal: AbortSignal.any([atWork.signal, group.signal]) }
  const asking = createAsking(together, run)
  const begun = new Map<string, Promise<void>>()
  /** Begins what may begin now. @returns those at the front, as they were judged. */
  async function begin(now: OpenRun): Promise<readonly JudgedCall[]> {
    const judged = await judge.judge(now)
    const { state } = judged
    const first = await firstGroup(judged.calls)
    const isBegun = ({ call: { callId } }: JudgedCall): boolean => begun.has(callId)
    await requestPermissions(atWork, { state, calls: judged.calls.filter((call) => !isBegun(call)) })
    for (const call of first) {
      if (isBegun(call) || isOpenYet(call)) continue
      // A failure ends the run: nothing that it began may work on when nobody could stop it any more.
      const settling = settleCall(together, call, { state, asking }).catch((error: unknown) => {
        group.abort()
        throw error
      })
      begun.set(call.call.callId, settling)
    }
    return first
  }
  let first = await begin(run)
  const comesBack = first.find((call) => call.comesBack !== null)?.comesBack ?? null
  while (first.some((call) => isOpenYet(call) && mayBeginBeside(call))) {
    if (!(await answeredMeanwhile(together, begun))) break
    const now = atWork.log.overview().runState.exclusive
    if (now?.runId !== atWork.runId || now.stopRequestedAt !== null) break
    first = await begin(now)
  }
  const ended = await Promise.allSettled(begun.values())
  // What a call was lent the model for ends with the call; its record stands before what comes next.
  await asking.idle()
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return comesBack
}

/** What calls that are settled side by side share. */
interface Beside {
  /** The state by which they were judged. */
  readonly state: Overview
  readonly asking: Asking
}

async function settleCall(atWork: RunAtWork, judged: JudgedCall, beside: Beside): Promise<void> {
  const { call, verdict } = judged
  if (atWork.signal.aborted) {
    const result = settledUnrun(call, 'not-started', 'The run was stopped before this call began.')
    return settle(atWork, judged, { result, said: {} })
  }
  switch (verdict.type) {
    case 'asks':
    case 'waits':
      return
    case 'cannot-run':
      return settle(atWork, judged, { result: settledUnrun(call, 'error', verdict.text), said: {} })
    case 'denied': {
      const { decision, text } = verdict
      return settle(atWork, judged, { result: settledUnrun(call, 'denied', text), said: { decision } })
    }
    case 'misfits':
      return runAndSettle(atWork, { judged, decision: null, beside })
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
    if (tool?.definition.runsAt === 'client') return
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
  return { childTotals: await totalsWithSubAgents(ports.store, childId, ledger) }
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
  const { outcome, blob, effects, durationMs, limitMs } = result
  const content = [...result.content]
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
    content,
    durationMs,
    ...(blob === undefined ? {} : { blob }),
    ...(limitMs === undefined ? {} : { limitMs }),
    ...said,
    ...(strangers.length === 0 ? {} : { strangers: [...strangers] }),
  }
  const late: NewEntry = { type: 'tool-result-late', actor: ENGINE, runId, stepId, callId, name, content, durationMs }
  await atWork.log.append({ epoch: atWork.epoch, command: null, dropDraft: null }, (state) => [
    ...callOffQuestions(state, { runId, callId }, endedBy(atWork, state)),
    isOpen(state, runId, callId) ? settlement : late,
    ...entries,
  ])
}

/** Whether a call has not settled: it does once, and what comes after that is shown. [TOOL2, TOOL4] */
function isOpen({ runState: { exclusive } }: Overview, runId: string, callId: string): boolean {
  return exclusive?.runId === runId && exclusive.openCalls.some((call) => call.callId === callId)
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
    ...(tool?.definition.runsAt === undefined ? {} : { runsAt: tool.definition.runsAt }),
  }
}

/** What a person should know of a tool, before it runs for the first time. [RUN13] */
function noticeOf({ runId }: RunAtWork, { notices }: Overview, tool: Tool | undefined): NewEntry[] {
  if (!tool?.notice || notices.some(({ code }) => code === tool.notice?.code)) return []
  return [{ type: 'notice-raised', actor: ENGINE, severity: 'warning', runId, ...tool.notice }]
}
