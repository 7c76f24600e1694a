import type { Clock, Json, ToolOutcome } from '@holdfast/conversation'
import type { CallEffect } from './call-effect.ts'
import type { ToolCall, ToolDefinition } from './definition.ts'
import type { PermissionDecision } from './permission/decide-permission.ts'
import type { PermissionRules } from './permission/permission-rules.ts'
import type { BlobSink } from './run/blob-sink.ts'
import {
  type CallLimits,
  type CallResult,
  DEFAULT_LIMITS,
  inputProblem,
  type LateResult,
  runCall,
  settledUnrun,
} from './run/run-call.ts'
import { textOfThrown } from './run/text-of-value.ts'
import { type RunTool, type Tool, toolOf } from './tool.ts'
import { createToolMeter, type ToolMetrics } from './tool-metrics.ts'

/** Asks a person; the answer may take any time, and ends as `denied` when the signal fires. */
export type AskPerson = (
  question: { readonly call: ToolCall; readonly decision: PermissionDecision },
  options: { readonly signal: AbortSignal },
) => Promise<'allowed' | 'denied'>

/** What a registry works with. */
export interface ToolRegistryOptions {
  /** Milliseconds, for tools without a limit of their own. [TOOL3] */
  readonly defaultToolTimeoutMs: number
  readonly permissions: PermissionRules
  readonly clock: Clock
  /** Without it nobody is there to be asked, and what would ask is denied. [PERM6] */
  readonly ask?: AskPerson
  /** Milliseconds between the signal and the end; 2,000 where it is not given. */
  readonly graceMs?: number
  /** Where `execute` keeps what is too large; an engine keeps it in its own store, with the log that names it. */
  readonly blobSink?: BlobSink
  readonly onLate?: (late: LateResult) => void
  /** Told of each effect that a tool reported: when its call settles, and at once where that is past. */
  readonly onEffect?: (callId: string, effect: CallEffect) => void
}

/** A call as it is given to a registry; without an id it is given one. */
export interface RegistryCall {
  readonly callId?: string
  readonly name: string
  readonly input: Json
}

/** What became of a call, as text. */
export interface ExecutedCall {
  readonly outcome: ToolOutcome
  /** Whether the model is told that it failed: every outcome but `ok`. */
  readonly isError: boolean
  readonly output: string
}

/**
 * Tools by name. Without an engine it runs calls itself, one by one, and counts them; an engine looks tools, limits and
 * rules up in it, runs calls by the same function and counts them in the log.
 */
export interface ToolRegistry {
  /** @throws when the name is taken: two tools of one name cannot be told apart by the model. */
  register(definition: ToolDefinition, run: RunTool<Json>): void
  /** Adds a tool made by `defineTool`. @throws when the name is taken. */
  add(tool: Tool): void
  get(name: string): Tool | undefined
  definitions(): readonly ToolDefinition[]
  /** Runs one call that no engine knows of. */
  execute(call: RegistryCall, options?: { readonly signal?: AbortSignal }): Promise<ExecutedCall>
  /** What `execute` ran; undefined for a name that is not registered. */
  getToolMetrics(name: string): ToolMetrics | undefined
  getAllToolMetrics(): readonly ToolMetrics[]
  /** The rules that its calls are judged by. */
  readonly permissions: PermissionRules
  /** How long its calls may take, and how much they may say. [TOOL3] */
  readonly limits: CallLimits
  /** Null where nobody is there to be asked. */
  readonly ask: AskPerson | null
  /** Told of what tools return after their calls have settled. [TOOL4] */
  readonly onLate: (late: LateResult) => void
}

/** A registry without tools. */
export function createToolRegistry(options: ToolRegistryOptions): ToolRegistry {
  const { permissions, clock } = options
  const ask = options.ask ?? null
  const onLate = (late: LateResult): void => options.onLate?.(late)
  const limits: CallLimits = {
    ...DEFAULT_LIMITS,
    timeoutMs: options.defaultToolTimeoutMs,
    graceMs: options.graceMs ?? DEFAULT_LIMITS.graceMs,
  }
  const tools = new Map<string, Tool>()
  const meter = createToolMeter()
  let callNumber = 0

  function add(tool: Tool): void {
    const { name } = tool.definition
    if (tools.has(name)) throw new Error(`A tool named ${name} is registered already. Give this one another name.`)
    tools.set(name, tool)
  }

  /** Null when the call may run, else why not. */
  async function refusalOf(call: ToolCall, tool: Tool, signal: AbortSignal): Promise<string | null> {
    try {
      const decision = permissions.decide(call, tool.definition)
      if (decision.effect === 'allow') return null
      if (decision.effect === 'deny') return `Denied: ${decision.reason}.`
      if (!ask) return `Denied: it needs a person's permission, and nobody is there to be asked. ${decision.reason}.`
      const answer = await ask({ call, decision }, { signal })
      return answer === 'allowed' ? null : 'Denied by the person who was asked.'
    } catch (error) {
      // Without a decision there is no yes.
      return `Denied: the permission could not be decided. ${textOfThrown(error, 300)}`
    }
  }

  async function settle(call: ToolCall, signal: AbortSignal): Promise<CallResult> {
    const { name } = call
    const tool = tools.get(name)
    if (!tool) return settledUnrun(call, 'error', `There is no tool named ${name.slice(0, 200)}.`)
    meter.called(name, clock.now())
    const mayRun = !signal.aborted && inputProblem(tool, call) === null
    const refusal = mayRun ? await refusalOf(call, tool, signal) : null
    if (refusal !== null && !signal.aborted) {
      meter.settled(name, 'denied', null)
      return settledUnrun(call, 'denied', refusal)
    }
    const isStarted = mayRun && !signal.aborted
    if (isStarted) meter.started(name)
    const result = await runCall({
      tool,
      call,
      clock,
      signal,
      limits,
      onLate,
      onLateEffect: (effect) => options.onEffect?.(call.callId, effect),
      ...(options.blobSink ? { blobSink: options.blobSink } : {}),
    })
    meter.settled(name, result.outcome, isStarted ? result.durationMs : null)
    return result
  }

  return {
    register: (definition, run) => add(toolOf(definition, run)),
    add,
    get: (name) => tools.get(name),
    definitions: () => [...tools.values()].map(({ definition }) => definition),
    async execute(call, settings) {
      const callId = call.callId ?? `call_${++callNumber}`
      const result = await settle({ ...call, callId }, settings?.signal ?? new AbortController().signal)
      const { outcome } = result
      for (const effect of result.effects) options.onEffect?.(callId, effect)
      return { outcome, isError: outcome !== 'ok', output: textOf(result) }
    },
    getToolMetrics: (name) => (tools.has(name) ? meter.read(name) : undefined),
    permissions,
    limits,
    ask,
    onLate,
    getAllToolMetrics: () => [...tools.keys()].map((name) => meter.read(name)),
  }
}

function textOf({ content }: CallResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[picture ${part.blob.hash}]`)).join('\n')
}
