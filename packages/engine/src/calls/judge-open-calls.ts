import {
  type AnswerBlock,
  type CallDecision,
  type Entry,
  entriesBefore,
  type OpenCall,
  type OpenRun,
  type Overview,
  permissionModeOf,
} from '@holdfast/conversation'
import {
  type CallSubject,
  identicalCalls,
  inputProblem,
  type PermissionDecision,
  type PermissionRule,
  readToolInput,
  recentCallCount,
  type Tool,
  type ToolCall,
  type ToolInput,
} from '@holdfast/tool'
import { alwaysRulesOf } from '../chosen/always-rules.ts'
import { toolsByName } from '../chosen/conversation-tools.ts'
import { settingsOfLog } from '../chosen/settings-in-force.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { type Judging, judgeCall } from './judge-call.ts'
import { whyLeftOut } from './left-out.ts'

/** An open call and what is to become of it. */
export interface JudgedCall {
  readonly open: OpenCall
  readonly call: ToolCall
  /** Its tool as it is now; undefined where there is none. */
  readonly tool: Tool | undefined
  readonly verdict: Verdict
  /** Says so where it cannot be run and is the last of a row of the same calls; else null. [RUN8] */
  readonly comesBack: string | null
}

/** What is to become of a call. */
export type Verdict =
  /** Settles as an error with these words: there is nothing that could be run. [RUN10, TOOL10] */
  | { readonly type: 'cannot-run'; readonly text: string }
  /** Is answered with what is wrong with it: there is no such tool, or its input does not fit. */
  | { readonly type: 'misfits' }
  | { readonly type: 'runs'; readonly decision: CallDecision }
  | { readonly type: 'denied'; readonly decision: CallDecision; readonly text: string }
  /** A person has to be asked. */
  | { readonly type: 'asks'; readonly decision: PermissionDecision }
  /** A person was asked and has not answered, or the client that runs it has not. */
  | { readonly type: 'waits' }

/** The open calls of a run as they were judged. */
export interface JudgedCalls {
  /** In the order in which the model made them. */
  readonly calls: readonly JudgedCall[]
  /** The state by which they were judged. */
  readonly state: Overview
}

/** Judges the open calls of one run. */
export interface CallJudge {
  /**
   * What is to become of the open calls now. A call is ruled on once, and once more where what it is ruled by has
   * changed: a mode, a rule, its tool, or what strangers wrote. [PERM4, PERM7, PERM8]
   */
  judge(run: OpenRun): Promise<JudgedCalls>
}

/** Makes the judge of a run that has ruled on nothing yet. */
export function createCallJudge({ ports, log, path, ownerId }: RunAtWork): CallJudge {
  const { conversationId } = log
  let grounds: Grounds | null = null
  let rulings: ReadonlyMap<string, Ruling> = new Map()

  return {
    async judge(run) {
      const alwaysRules = await alwaysRulesOf(ports.records, ownerId)
      const state = log.overview()
      const tools = toolsByName(ports, conversationId, state)
      const now = groundsOf(state, alwaysRules)
      const known = grounds !== null && isSame(grounds, now) ? rulings : NONE
      const isRuled = ({ name, ...call }: OpenCall): boolean =>
        known.get(keyOf(call))?.definition === tools.get(name)?.definition && known.has(keyOf(call))
      const { identicalCalls: limit } = settingsOfLog(ports, state.settings)
      const recentCount = recentCallCount(limit)
      const rule = run.openCalls.every(isRuled)
        ? null
        : rulerOn({
            judging: { ports, state, tools, alwaysRules, unattended: run.unattended, schedule: run.schedule },
            leftOut: whyLeftOut({ ports, conversationId, state, tools }),
            written: await writtenCalls(log, run, { path: (await path.read(state, 0)).entries, recentCount }),
            recentCount,
            identicalCalls: limit,
          })
      const next = new Map<string, Ruling>()
      const calls = run.openCalls.map((open): JudgedCall => {
        const kept = isRuled(open) ? known.get(keyOf(open)) : undefined
        const ruling = kept ?? rule?.(open)
        if (!ruling) throw new Error(`Nothing was ruled on call ${open.callId}`)
        next.set(keyOf(open), ruling)
        return {
          open,
          call: ruling.call,
          tool: tools.get(open.name),
          verdict: verdictOn(ruling, open),
          comesBack: ruling.comesBack,
        }
      })
      grounds = now
      rulings = next
      return { calls, state }
    },
  }
}

/** What was found out about a call, whatever a person has answered. */
interface Ruling {
  readonly call: ToolCall
  /** Of its tool as it was then. */
  readonly definition: Tool['definition'] | undefined
  readonly outcome:
    | { readonly type: 'cannot-run'; readonly text: string }
    /** There is no such tool, or its input does not fit: it is answered with that. */
    | { readonly type: 'undecided' }
    | { readonly type: 'decided'; readonly decision: PermissionDecision }
  readonly comesBack: string | null
}

const NONE: ReadonlyMap<string, Ruling> = new Map()

function keyOf({ stepSeq, callId }: Pick<OpenCall, 'stepSeq' | 'callId'>): string {
  return `${stepSeq} ${callId}`
}

/** What the rulings on the calls of a step rest on, beside the calls and their tools. */
interface Grounds
  extends Pick<Overview, 'settings' | 'permissionRules' | 'foundTools' | 'strangersAt' | 'strangersFrom'> {
  readonly alwaysRules: readonly PermissionRule[]
}

function groundsOf(
  { settings, permissionRules, foundTools, strangersAt, strangersFrom }: Overview,
  alwaysRules: readonly PermissionRule[],
): Grounds {
  return { settings, permissionRules, foundTools, strangersAt, strangersFrom, alwaysRules }
}

/**
 * Whether the mode and the rules of a conversation are still those by which its calls were judged, so that a judged call
 * may begin. What else its grounds are (rules for all of a person's conversations, found tools, words of strangers) is not
 * compared here: a change of those counts from the next judgement on.
 */
export function isJudgedBy(
  before: Pick<Overview, 'settings' | 'permissionRules'>,
  now: Pick<Overview, 'settings' | 'permissionRules'>,
): boolean {
  return before.settings === now.settings && before.permissionRules === now.permissionRules
}

function isSame(before: Grounds, now: Grounds): boolean {
  return (
    isJudgedBy(before, now) &&
    before.foundTools === now.foundTools &&
    before.strangersAt === now.strangersAt &&
    before.strangersFrom === now.strangersFrom &&
    // They are read from the store each time.
    JSON.stringify(before.alwaysRules) === JSON.stringify(now.alwaysRules)
  )
}

interface Ruler {
  readonly judging: Judging
  /** Why a tool that there is may not be called; null for one that may, or that there is not. */
  readonly leftOut: (name: string) => string | null
  readonly written: readonly WrittenCall[]
  /** How many calls before one decide about it. */
  readonly recentCount: number
  /** So many identical calls in a row are one too many. */
  readonly identicalCalls: number
}

function rulerOn({ judging, leftOut, written, recentCount, identicalCalls: limit }: Ruler): (open: OpenCall) => Ruling {
  return ({ callId, stepId, name, stepSeq }) => {
    const place = written.findIndex((call) => call.block.callId === callId && call.stepSeq === stepSeq)
    const found = written[place]
    const input = found ? inputOf(found.block) : NO_INPUT
    const tool = judging.tools.get(name)
    const definition = tool?.definition
    const recent = subjectsOf(written.slice(Math.max(0, place - recentCount), place))
    const comesBack = () => (found ? identicalCalls(recent, subjectOf(found.block), limit) : null)
    if (input.type === 'unreadable') {
      const outcome = { type: 'cannot-run', text: input.message } as const
      return { call: { callId, stepId, name, input: null }, definition, outcome, comesBack: comesBack() }
    }
    const call = { callId, stepId, name, input: input.input }
    const why = leftOut(name)
    if (why !== null) return { call, definition, outcome: { type: 'cannot-run', text: why }, comesBack: comesBack() }
    if (!tool || inputProblem(tool, call) !== null)
      return { call, definition, outcome: { type: 'undecided' }, comesBack: comesBack() }
    const elsewhere = tool.stateElsewhere?.(callId) ?? 'waiting'
    const judged = judgeCall(judging, call, recent)
    const decision = elsewhere === 'waiting' ? judged : underway(judging, judged, elsewhere)
    // A question whose yes changes nothing is not asked. [PERM12]
    const refused = decision.effect === 'ask' ? (tool.refusalOf?.(call.input) ?? null) : null
    if (refused !== null)
      return { call, definition, outcome: { type: 'cannot-run', text: refused }, comesBack: comesBack() }
    // Whoever is asked decides about a row of calls that can be run.
    return { call, definition, outcome: { type: 'decided', decision }, comesBack: null }
  }
}

/** An agent began it without a question: it is shown as what runs, and forbidden where it still can be. [AGENT6, AGENT36] */
function underway(
  { ports, state }: Judging,
  judged: PermissionDecision,
  elsewhere: 'running' | 'over',
): PermissionDecision {
  if (judged.effect === 'deny' && elsewhere === 'running') return judged
  const mode = permissionModeOf(state.settings, ports.permissions)
  const forbade = judged.effect === 'deny'
  return {
    effect: 'allow',
    source: 'external-agent',
    mode,
    ruleIds: forbade ? judged.ruleIds : [],
    guard: null,
    reason: forbade ? 'The agent had done it before anybody could forbid it' : 'The agent runs it already',
  }
}

function verdictOn({ outcome, definition }: Ruling, { request, handedOverAt }: OpenCall): Verdict {
  if (handedOverAt !== null) return { type: 'waits' }
  if (outcome.type === 'cannot-run') return outcome
  if (outcome.type === 'undecided') return { type: 'misfits' }
  const { decision } = outcome
  const logged = toCallDecision(decision)
  // What forbids it now counts, whatever was answered before.
  if (decision.effect === 'deny') return { type: 'denied', decision: logged, text: `Denied: ${decision.reason}.` }
  // What would ask here is asked by the client, where the call runs. [TOOL18]
  if (definition?.runsAt === 'client') return { type: 'runs', decision: logged }
  if (request === null)
    return decision.effect === 'ask' ? { type: 'asks', decision } : { type: 'runs', decision: logged }
  const { requestId, answer } = request
  if (answer === null) return { type: 'waits' }
  const asked = { ...logged, requestId }
  if (answer.outcome === 'allowed') return { type: 'runs', decision: asked }
  return { type: 'denied', decision: asked, text: refusal(answer) }
}

function refusal({ by, reason }: NonNullable<NonNullable<OpenCall['request']>['answer']>): string {
  if (by === 'unattended') return 'Nobody was there to be asked, so this call was denied. It did not run.'
  const who = by === 'person' ? 'The person who was asked denied this call' : 'This call was denied'
  return reason === null ? `${who}. It did not run.` : `${who}. It did not run. They said: ${reason}`
}

function toCallDecision({ source, mode, ruleIds }: PermissionDecision): CallDecision {
  return { source, mode, ruleIds: [...ruleIds] }
}

type CallBlock = Extract<AnswerBlock, { type: 'tool-call' }>

interface WrittenCall {
  readonly block: CallBlock
  readonly stepSeq: number
}

const PAGE = 200

/**
 * The last whole calls of a run, in the order in which the model made them: the open ones, and so many before them as
 * decide about a row of identical calls. What of them stands before the part of the path that was read is read on. [RUN8]
 */
async function writtenCalls(
  log: RunAtWork['log'],
  { runId, openCalls }: OpenRun,
  { path, recentCount }: { readonly path: readonly Entry[]; readonly recentCount: number },
): Promise<readonly WrittenCall[]> {
  const firstSeq = openCalls.reduce((seq, call) => Math.min(seq, call.stepSeq), Number.POSITIVE_INFINITY)
  const steps: (readonly WrittenCall[])[] = []
  let countBefore = 0
  let isWhole = false

  function collect(entries: readonly Entry[]): void {
    for (let at = entries.length - 1; at >= 0 && countBefore < recentCount && !isWhole; at--) {
      const entry = entries[at]
      if (entry?.type === 'run-started' && entry.runId === runId) isWhole = true
      if (entry?.type !== 'step-finished' || entry.runId !== runId) continue
      const { seq: stepSeq } = entry
      const calls = entry.blocks.flatMap((block) => (block.type === 'tool-call' ? [{ block, stepSeq }] : []))
      steps.push(calls)
      if (stepSeq < firstSeq) countBefore += calls.length
    }
  }

  collect(path)
  if (!isWhole && countBefore < recentCount) {
    const before = path[0]?.seq ?? 1
    const earlier = { conversationId: log.conversationId, before, from: 1, pageEntries: PAGE }
    for await (const { entries } of entriesBefore(log, earlier)) {
      collect(entries)
      if (isWhole || countBefore >= recentCount) break
    }
  }
  return steps.reverse().flat()
}

function subjectsOf(written: readonly WrittenCall[]): readonly CallSubject[] {
  return written.map(({ block }) => subjectOf(block))
}

/** A call whose input cannot be read is the same as one with the same letters. */
function subjectOf(block: CallBlock): CallSubject {
  const input = inputOf(block)
  return { name: block.name, input: input.type === 'read' ? input.input : block.inputText }
}

const NO_INPUT = readToolInput({ inputText: '', complete: false })

/** A call is among the recent ones of those after it: its input is read once. */
const inputs = new WeakMap<CallBlock, ToolInput>()

function inputOf(block: CallBlock): ToolInput {
  const known = inputs.get(block)
  if (known !== undefined) return known
  const read = readToolInput(block)
  inputs.set(block, read)
  return read
}
