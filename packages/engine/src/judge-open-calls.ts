import type { CallDecision, Entry, OpenCall, OpenRun } from '@holdfast/conversation'
import { type CallSubject, inputProblem, type PermissionDecision, readToolInput, type ToolCall } from '@holdfast/tool'
import { type Bench, judgeCall } from './judge-call.ts'

/** An open call and what is to become of it. */
export interface JudgedCall {
  readonly open: OpenCall
  readonly call: ToolCall
  readonly verdict: Verdict
}

/** What is to become of a call. */
export type Verdict =
  /** Settles as an error with these words: there is nothing that could be run. [RUN10, TOOL10] */
  | { readonly type: 'cannot-run'; readonly text: string }
  /** Runs, or is answered with what is wrong with it; then nothing was decided. */
  | { readonly type: 'runs'; readonly decision: CallDecision | null }
  | { readonly type: 'denied'; readonly decision: CallDecision; readonly text: string }
  /** A person has to be asked. */
  | { readonly type: 'asks'; readonly source: PermissionDecision['source']; readonly text: string }
  /** A person was asked and has not answered. */
  | { readonly type: 'waits' }

/** What the calls of a run are judged by. */
export interface OpenBench extends Bench {
  /** Why a tool that there is may not be called; null for one that may, or that there is not. */
  readonly leftOut: (name: string) => string | null
}

/** Judges the open calls of a run by what holds at this moment, in their order. [PERM4, PERM8] */
export function judgeOpenCalls(
  bench: OpenBench,
  { run, path }: { readonly run: OpenRun; readonly path: readonly Entry[] },
): readonly JudgedCall[] {
  const written = writtenCalls(run, path)
  return run.openCalls.map((open) => {
    const { callId, name, stepSeq } = open
    const place = written.findIndex((call) => call.callId === callId && call.stepSeq === stepSeq)
    const input = readToolInput(written[place] ?? { inputText: '', complete: false })
    if (input.type === 'unreadable')
      return { open, call: { callId, name, input: null }, verdict: { type: 'cannot-run', text: input.message } }
    const call = { callId, name, input: input.input }
    return { open, call, verdict: verdictOn(bench, { open, call, recent: subjectsOf(written.slice(0, place)) }) }
  })
}

interface Case {
  readonly open: OpenCall
  readonly call: ToolCall
  readonly recent: readonly CallSubject[]
}

function verdictOn(bench: OpenBench, { open, call, recent }: Case): Verdict {
  const leftOut = bench.leftOut(call.name)
  if (leftOut !== null) return { type: 'cannot-run', text: leftOut }
  const tool = bench.tools.get(call.name)
  if (!tool || inputProblem(tool, call) !== null) return { type: 'runs', decision: null }
  const decision = judgeCall(bench, call, recent)
  const { request } = open
  const logged = toCallDecision(decision)
  // What forbids it now counts, whatever was answered before.
  if (decision.effect === 'deny') return { type: 'denied', decision: logged, text: `Denied: ${decision.reason}.` }
  if (request === null) {
    return decision.effect === 'ask'
      ? { type: 'asks', source: decision.source, text: decision.reason }
      : { type: 'runs', decision: logged }
  }
  const { requestId, answer } = request
  if (answer === null) return { type: 'waits' }
  const asked = { ...logged, requestId }
  if (answer.outcome === 'allowed') return { type: 'runs', decision: asked }
  return { type: 'denied', decision: asked, text: refusal(answer) }
}

function refusal({ by, reason }: NonNullable<NonNullable<OpenCall['request']>['answer']>): string {
  const who = by === 'person' ? 'The person who was asked denied this call' : 'This call was denied'
  return reason === null ? `${who}. It did not run.` : `${who}. It did not run. They said: ${reason}`
}

function toCallDecision({ source, mode, ruleIds }: PermissionDecision): CallDecision {
  return { source, mode, ruleIds: [...ruleIds] }
}

interface WrittenCall {
  readonly callId: string
  readonly name: string
  readonly stepSeq: number
  readonly inputText: string
  readonly complete: boolean
}

/** All whole calls of a run, in the order in which the model made them. */
function writtenCalls({ runId }: OpenRun, path: readonly Entry[]): readonly WrittenCall[] {
  return path.flatMap((entry) => {
    if (entry.type !== 'step-finished' || entry.runId !== runId) return []
    return entry.blocks.flatMap((block) => (block.type === 'tool-call' ? [{ ...block, stepSeq: entry.seq }] : []))
  })
}

/** More calls than any round of identical calls has. [RUN8] */
const RECENT = 12

function subjectsOf(written: readonly WrittenCall[]): readonly CallSubject[] {
  return written.slice(-RECENT).flatMap((call) => {
    const input = readToolInput(call)
    return input.type === 'read' ? [{ name: call.name, input: input.input }] : []
  })
}
