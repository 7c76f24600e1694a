import type { AnswerBlock, CallDecision, Entry, OpenCall, OpenRun } from '@holdfast/conversation'
import {
  type CallSubject,
  inputProblem,
  type PermissionDecision,
  readToolInput,
  type ToolCall,
  type ToolInput,
} from '@holdfast/tool'
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
    const place = written.findIndex((call) => call.block.callId === callId && call.stepSeq === stepSeq)
    const found = written[place]
    const input = found ? inputOf(found.block) : NO_INPUT
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

type CallBlock = Extract<AnswerBlock, { type: 'tool-call' }>

interface WrittenCall {
  readonly block: CallBlock
  readonly stepSeq: number
}

/** More calls than any round of identical calls has. [RUN8] */
const RECENT = 12

/** The last whole calls of a run, in the order in which the model made them: the open ones and those just before. */
function writtenCalls({ runId, openCalls }: OpenRun, path: readonly Entry[]): readonly WrittenCall[] {
  const firstSeq = openCalls.reduce((seq, call) => Math.min(seq, call.stepSeq), Number.POSITIVE_INFINITY)
  const steps: (readonly WrittenCall[])[] = []
  let countBefore = 0
  for (let at = path.length - 1; at >= 0 && countBefore < RECENT; at--) {
    const entry = path[at]
    if (entry?.type !== 'step-finished' || entry.runId !== runId) continue
    const { seq: stepSeq } = entry
    const calls = entry.blocks.flatMap((block) => (block.type === 'tool-call' ? [{ block, stepSeq }] : []))
    steps.push(calls)
    if (stepSeq < firstSeq) countBefore += calls.length
  }
  return steps.reverse().flat()
}

function subjectsOf(written: readonly WrittenCall[]): readonly CallSubject[] {
  return written.slice(-RECENT).flatMap(({ block }) => {
    const input = inputOf(block)
    return input.type === 'read' ? [{ name: block.name, input: input.input }] : []
  })
}

const NO_INPUT = readToolInput({ inputText: '', complete: false })

/** Every open call is judged again before each call of its step: its input is read once. */
const inputs = new WeakMap<CallBlock, ToolInput>()

function inputOf(block: CallBlock): ToolInput {
  const known = inputs.get(block)
  if (known !== undefined) return known
  const read = readToolInput(block)
  inputs.set(block, read)
  return read
}
