import type { Clock } from '@holdfast/conversation'
import { isReadOnly, type ToolCall } from '../definition.ts'
import type { PersonAtHand } from '../person.ts'
import type { Tool } from '../tool.ts'
import type { BlobSink } from './blob-sink.ts'
import { type CallLimits, type CallResult, inputProblem, type LateResult, runCall, settledUnrun } from './run-call.ts'
import { textOfThrown } from './text-of-value.ts'

/** Whether a call may run. `reason` is what the model reads. */
export type Permit = { readonly type: 'allowed' } | { readonly type: 'denied'; readonly reason: string }

/** The calls of one step, and all that they touch. */
export interface BatchRun {
  readonly calls: readonly ToolCall[]
  readonly toolOf: (name: string) => Tool | undefined
  /**
   * Decides about a call; may wait for a person. It must end when the signal fires. One that throws denies: a
   * call never runs without a yes. [PERM4]
   */
  readonly permit: (call: ToolCall, signal: AbortSignal) => Promise<Permit>
  /**
   * Called before a tool starts, and awaited: intent comes first. [TOOL6] With false the call does not start after
   * all: what allowed it holds no more. It is left as it was, for another batch. [PERM8]
   */
  readonly onStart: (call: ToolCall) => Promise<boolean>
  /** Called once for each call that was not left, and awaited. */
  readonly onSettled: (result: CallResult) => Promise<void>
  readonly onLate: (late: LateResult) => void
  readonly onProgress?: (callId: string, message: string) => void
  /** Whom a call may ask while it runs; null for nobody. */
  readonly personOf?: (callId: string) => PersonAtHand | null
  readonly limits: CallLimits
  /** Calls beyond it are not started. [RUN8] */
  readonly callsPerStep: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly blobSink?: BlobSink
}

/** What became of a step's calls, in their order, without those that were left. */
export interface BatchResult {
  readonly results: readonly CallResult[]
  /** Whether calls were left out because the step had too many. The run ends with that reason. [RUN8] */
  readonly limitReached: boolean
}

/**
 * Settles every call of a step. Neighbouring calls that only read run side by side; a call with effects waits
 * for all before it, and all after it wait for it. A denial or a failure stops no other call; a stop does:
 * finished calls keep their result, running ones are aborted, the others not started. [TOOL7, STOP5]
 *
 * @throws what `onStart` and `onSettled` throw: the log is lost, and nothing more may run.
 */
export async function runBatch(run: BatchRun): Promise<BatchResult> {
  const results: CallResult[] = []
  for (const group of groupsOf(run)) {
    const settledOnes = await Promise.all(group.map((call) => settleOne(call, run)))
    results.push(...settledOnes.filter((result) => result !== null))
  }
  const left = run.calls.slice(run.callsPerStep)
  for (const call of left) {
    const text = `Not started: a step may make ${run.callsPerStep} calls, and this one made ${run.calls.length}.`
    results.push(await settled(settledUnrun(call, 'not-started', text), run))
  }
  return { results, limitReached: left.length > 0 }
}

function groupsOf({ calls, callsPerStep, toolOf }: BatchRun): ToolCall[][] {
  const groups: { readonly reads: boolean; readonly calls: ToolCall[] }[] = []
  for (const call of calls.slice(0, callsPerStep)) {
    const definition = toolOf(call.name)?.definition
    const reads = definition !== undefined && isReadOnly(definition)
    const last = groups.at(-1)
    if (reads && last?.reads) last.calls.push(call)
    else groups.push({ reads, calls: [call] })
  }
  return groups.map((group) => group.calls)
}

/** Null for a call that was left. */
async function settleOne(call: ToolCall, run: BatchRun): Promise<CallResult | null> {
  const { signal, toolOf } = run
  const notStarted = () =>
    settled(settledUnrun(call, 'not-started', 'The run was stopped before this call began.'), run)
  if (signal.aborted) return notStarted()
  const tool = toolOf(call.name)
  if (tool && inputProblem(tool, call) === null) {
    const permit = await permitOf(call, run)
    if (signal.aborted) return notStarted()
    if (permit.type === 'denied') return settled(settledUnrun(call, 'denied', permit.reason), run)
    if (!(await run.onStart(call))) return null
  }
  const { onProgress, limits, clock, onLate, blobSink } = run
  const person = run.personOf?.(call.callId) ?? null
  const result = await runCall({
    tool,
    call,
    limits,
    clock,
    signal,
    onLate,
    ...(blobSink ? { blobSink } : {}),
    ...(person ? { person } : {}),
    ...(onProgress ? { onProgress: (message: string) => onProgress(call.callId, message) } : {}),
  })
  return settled(result, run)
}

async function settled(result: CallResult, { onSettled }: BatchRun): Promise<CallResult> {
  await onSettled(result)
  return result
}

async function permitOf(call: ToolCall, { permit, signal }: BatchRun): Promise<Permit> {
  try {
    return await permit(call, signal)
  } catch (error) {
    // Whatever went wrong with the decision, the call has no yes: it is denied, and the others go on.
    return { type: 'denied', reason: `Denied: the permission could not be decided. ${textOfThrown(error, 300)}` }
  }
}
