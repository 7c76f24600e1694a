import type { Json } from '@holdfast/conversation'
import {
  type CallEffect,
  type CallResult,
  type CallRun,
  DEFAULT_LIMITS,
  type LateResult,
  runCall,
  type ToolContext,
  type ToolDefinition,
  toolOf,
} from '@holdfast/tool'
import { createManualClock, type ManualClock } from './manual-clock.ts'

export interface CallHarness {
  readonly clock: ManualClock
  readonly stop: AbortController
  readonly late: LateResult[]
  /** Effects that were reported after the settlement. */
  readonly lateEffects: CallEffect[]
  /** Settlements so far. */
  readonly settled: CallResult[]
  readonly result: Promise<CallResult>
}

export function textOf({ content }: Pick<CallResult, 'content'>): string {
  return content.map((part) => (part.type === 'text' ? part.text : '[picture]')).join('\n')
}

/** Starts a call of a tool that does `run`, on a clock that the test moves. */
export function startCall(
  run: (input: Json, context: ToolContext, clock: ManualClock) => unknown,
  options: {
    readonly definition?: Partial<ToolDefinition>
    readonly limits?: Partial<CallRun['limits']>
    readonly rest?: Partial<CallRun>
    readonly input?: Json
  } = {},
): CallHarness {
  const clock = createManualClock()
  const stop = new AbortController()
  const late: LateResult[] = []
  const lateEffects: CallEffect[] = []
  const settled: CallResult[] = []
  const definition = { name: 'probe', description: '', parameters: {}, ...options.definition }
  const result = runCall({
    tool: toolOf(definition, (input, context) => run(input, context, clock)),
    call: { callId: 'call_1', name: definition.name, input: options.input ?? {} },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    clock,
    signal: stop.signal,
    onLate: (entry) => late.push(entry),
    onLateEffect: (effect) => lateEffects.push(effect),
    ...options.rest,
  })
  void result.then((entry) => settled.push(entry))
  return { clock, stop, late, lateEffects, settled, result }
}
