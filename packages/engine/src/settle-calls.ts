import {
  addTotals,
  type EntryOf,
  type NewEntry,
  type OpenCall,
  type OpenRun,
  type Overview,
} from '@holdfast/conversation'
import {
  type CallResult,
  DEFAULT_LIMITS,
  isReadOnly,
  type LateResult,
  mayBringStrangers,
  type Permit,
  runBatch,
  settledUnrun,
  type Tool,
} from '@holdfast/tool'
import { type Asking, callOffQuestions, createAsking, endedBy } from './ask-person.ts'
import { type EndedCall, effectsOf } from './call-effects.ts'
import { alwaysRulesOf, toolsByName } from './judge-call.ts'
import { type JudgedCall, judgeOpenCalls, type OpenBench } from './judge-open-calls.ts'
import { whyLeftOut } from './left-out.ts'
import { readOverview } from './log-states.ts'
import { storeBlobSink } from './store-blob-sink.ts'
import { ENGINE, type Turn } from './turn.ts'

/**
 * Brings the open calls of a run one group further: what has to be asked is asked, all at once, and the calls whose
 * turn it is run. Neighbours that only read run side by side; a call with effects waits for all before it, also for
 * one that waits for a person. [TOOL7, PERM3, PERM4]
 */
export async function settleCalls(turn: Turn, run: OpenRun): Promise<void> {
  const { ports, log, path } = turn
  const ownerId = log.overview().ownerId ?? ''
  const alwaysRules = await alwaysRulesOf(ports.records, ownerId)
  const state = log.overview()
  const tools = toolsByName(ports, log.conversationId, state)
  const leftOut = whyLeftOut({ ports, conversationId: log.conversationId, state, tools })
  const bench: OpenBench = { ports, state, tools, alwaysRules, unattended: run.unattended, leftOut }
  const judged = judgeOpenCalls(bench, { run, path: (await path.read(state, 0)).entries })
  await ask(turn, { judged, state, userId: ownerId })
  const ready = firstGroup(judged, tools).filter(({ verdict }) => verdict.type !== 'asks' && verdict.type !== 'waits')
  await settleGroup(turn, { group: ready, state, tools, asking: createAsking(turn, run) })
}

/** Asks about every call that needs it, in one append; nobody is asked after a stop. [STOP6] */
async function ask(
  turn: Turn,
  {
    judged,
    state,
    userId,
  }: { readonly judged: readonly JudgedCall[]; readonly state: Overview; readonly userId: string },
): Promise<void> {
  const { ports, log, runId, epoch, signal } = turn
  const requests = judged.flatMap(({ open, call, verdict }): NewEntry[] => {
    if (verdict.type !== 'asks') return []
    const requestId = ports.ids.next('permission')
    const { callId, stepId, name: tool } = open
    const about = { requestId, userId, callId, tool, input: call.input, reason: verdict.text, source: verdict.source }
    return [{ type: 'permission-requested', actor: ENGINE, runId, stepId, ...about }]
  })
  if (requests.length === 0) return
  await log.append({ epoch, command: null, dropDraft: null }, (now) =>
    signal.aborted || !isJudgedBy(state, now) ? [] : requests,
  )
}

/** The calls at the front that may be settled side by side. */
function firstGroup(judged: readonly JudgedCall[], tools: ReadonlyMap<string, Tool>): readonly JudgedCall[] {
  const firstEffect = judged.findIndex(({ call }) => !reads(tools.get(call.name)))
  if (firstEffect < 0) return judged
  return judged.slice(0, Math.max(1, firstEffect))
}

function reads(tool: Tool | undefined): boolean {
  return tool !== undefined && isReadOnly(tool.definition)
}

/** Of a call that did not run. */
const UNRUN: Settling = { brings: false, isReviewed: false }

interface Group {
  readonly group: readonly JudgedCall[]
  /** The state by which the calls were judged. */
  readonly state: Overview
  readonly tools: ReadonlyMap<string, Tool>
  readonly asking: Asking
}

async function settleGroup(turn: Turn, { group, state, tools, asking }: Group): Promise<void> {
  const { ports, log, signal } = turn
  const byId = new Map(group.map((judged) => [judged.call.callId, judged]))
  const children = new Map<string, string>()
  for (const { call, open, verdict } of group) {
    if (verdict.type === 'cannot-run') await settle(turn, open, settledUnrun(call, 'error', verdict.text), UNRUN)
  }
  await runBatch({
    calls: group.filter(({ verdict }) => verdict.type !== 'cannot-run').map(({ call }) => call),
    toolOf: (name) => tools.get(name),
    permit: async ({ callId }) => permitOf(byId.get(callId)),
    onStart: async ({ callId, name }) => {
      const judged = byId.get(callId)
      if (!judged) return false
      const tool = tools.get(name)
      const childId = (await tool?.childConversationOf?.(judged.call)) ?? null
      if (!(await begin(turn, { judged, tool, childId, judgedBy: state }))) return false
      if (childId !== null) children.set(callId, childId)
      ports.onCall?.({ type: 'started', name })
      return true
    },
    onSettled: async (result) => {
      const judged = byId.get(result.callId)
      if (!judged) return
      const tool = tools.get(result.name)
      const brings = tool !== undefined && mayBringStrangers(tool.definition, judged.call.input)
      const more = await settledWith(turn, { judged, result, tools, children })
      await settle(turn, judged.open, result, { ...more, brings, isReviewed: isReviewed(judged) })
    },
    onLate: (late) => {
      const judged = byId.get(late.callId)
      if (judged) void noteLate(turn, judged.open, late)
    },
    onProgress: (callId, message) =>
      ports.bus.publish({ type: 'progress', conversationId: log.conversationId, callId, message }),
    personOf(callId) {
      const judged = byId.get(callId)
      return judged ? asking.personOf(judged.open) : null
    },
    limits: DEFAULT_LIMITS,
    callsPerStep: group.length,
    clock: ports.clock,
    signal,
    blobSink: storeBlobSink(ports, log.overview().ownerId ?? ''),
  })
  // What a call was lent the model for ends with the call; its record stands before what comes next.
  await asking.idle()
}

function isReviewed({ verdict }: JudgedCall): boolean {
  return verdict.type === 'runs' && verdict.decision?.requestId !== undefined
}

function permitOf(judged: JudgedCall | undefined): Permit {
  if (judged?.verdict.type === 'runs') return { type: 'allowed' }
  return { type: 'denied', reason: judged?.verdict.type === 'denied' ? judged.verdict.text : 'Nothing allowed it.' }
}

/** A call that is about to start, and the conversation that it will run. */
interface Intent {
  readonly judged: JudgedCall
  readonly tool: Tool | undefined
  readonly childId: string | null
}

/** The intent, durable before the tool starts. [TOOL6] */
function started({ runId }: Turn, { judged: { open, call, verdict }, tool, childId }: Intent): NewEntry {
  const { callId, stepId, name } = open
  const decision = verdict.type === 'runs' ? verdict.decision : null
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
    ...(decision === null ? {} : { decision }),
    ...(childId === null ? {} : { childConversationId: childId }),
  }
}

type SettledWith = Pick<Partial<EntryOf<'tool-call-settled'>>, 'decision' | 'childTotals' | 'foundTools'>

/** The same, and what is known of whose words it may have brought. */
type Settling = SettledWith & Pick<EndedCall, 'brings' | 'isReviewed'>

interface Settled {
  readonly judged: JudgedCall
  readonly result: CallResult
  readonly tools: ReadonlyMap<string, Tool>
  /** The conversations that the calls of the group run, by call. */
  readonly children: ReadonlyMap<string, string>
}

/** What a settlement says beside its result: why it was denied, and what a sub-agent has cost. [PERM8, AGENT3] */
async function settledWith(
  { ports }: Turn,
  { judged: { call, verdict }, result: { callId, name, outcome, durationMs }, tools, children }: Settled,
): Promise<SettledWith> {
  const ran = verdict.type === 'runs' && outcome !== 'not-started'
  ports.onCall?.({ type: 'settled', name, outcome, durationMs: ran ? durationMs : null })
  if (verdict.type === 'denied') return outcome === 'denied' ? { decision: verdict.decision } : {}
  const found = outcome === 'ok' ? tools.get(name)?.finds?.(call.input) : undefined
  if (found !== undefined && found.length > 0) return { foundTools: [...found] }
  const childId = ran ? children.get(callId) : undefined
  if (childId === undefined) return {}
  const { ledger } = (await readOverview(ports.store, childId)).state
  return { childTotals: addTotals(ledger.total, ledger.subAgents) }
}

async function settle(
  turn: Turn,
  { callId, stepId, name }: OpenCall,
  result: CallResult,
  { brings, isReviewed: reviewed, ...more }: Settling,
): Promise<void> {
  const { outcome, content, blob, durationMs } = result
  const kept = blob === undefined ? {} : { blob }
  const { runId } = turn
  const effects = await effectsOf(turn, { callId, name, brings, isReviewed: reviewed })
  const strangers = effects.strangers.length === 0 ? {} : { strangers: [...effects.strangers] }
  const about = { runId, stepId, callId, name, outcome, content: [...content], ...kept, durationMs, ...more }
  const entries: readonly NewEntry[] = [
    { type: 'tool-call-settled', actor: ENGINE, ...about, ...strangers },
    ...effects.entries,
  ]
  await turn.log.append({ epoch: turn.epoch, command: null, dropDraft: null }, (state) => [
    ...callOffQuestions(state, { runId, callId }, endedBy(turn, state)),
    ...entries,
  ])
}

/**
 * What comes after the end is shown. The next run may hold a lease of its own by then: that a tool returned is a fact of
 * the process that ran it, like what a person sends, and needs none. [TOOL4]
 */
async function noteLate(turn: Turn, { callId, stepId, name }: OpenCall, late: LateResult): Promise<void> {
  const { content, durationMs } = late
  const { runId } = turn
  try {
    const effects = await effectsOf(turn, { callId, name, brings: true, isReviewed: false })
    await turn.log.append({ epoch: null, command: null, dropDraft: null }, () => [
      { type: 'tool-result-late', actor: ENGINE, runId, stepId, callId, name, content: [...content], durationMs },
      ...effects.entries,
    ])
  } catch (error) {
    turn.onFault(error)
  }
}

/** A call that is about to start, and the state by which it was judged. */
interface Beginning extends Intent {
  readonly judgedBy: Overview
}

/**
 * After a stop nothing starts: the call finds its signal aborted, and did not begin. [STOP2] Where a mode or a rule
 * has changed since the call was judged, it is judged again. [PERM8]
 *
 * @returns false for a call that is judged again.
 */
async function begin(turn: Turn, { judgedBy, ...intent }: Beginning): Promise<boolean> {
  const { log, epoch, signal } = turn
  const { entries } = await log.append({ epoch, command: null, dropDraft: null }, (now) =>
    signal.aborted || !isJudgedBy(judgedBy, now) ? [] : [...noticeOf(turn, now, intent.tool), started(turn, intent)],
  )
  return entries.length > 0 || signal.aborted
}

/** Whether what decides about calls is still what it was. */
function isJudgedBy(judgedBy: Overview, now: Overview): boolean {
  return judgedBy.settings === now.settings && judgedBy.permissionRules === now.permissionRules
}

/** What a person should know of a tool, before it runs for the first time. [RUN13] */
function noticeOf({ runId }: Turn, { notices }: Overview, tool: Tool | undefined): NewEntry[] {
  if (!tool?.notice || notices.some(({ code }) => code === tool.notice?.code)) return []
  return [{ type: 'notice-raised', actor: ENGINE, severity: 'warning', runId, ...tool.notice }]
}
