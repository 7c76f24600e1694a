import {
  type BlobReference,
  type Clock,
  type Settings,
  type ToolOutcome,
  type ToolResultPart,
  USUAL_SETTINGS,
} from '@holdfast/conversation'
import type { CallEffect } from '../call-effect.ts'
import type { ToolCall } from '../definition.ts'
import { issuesInWords } from '../input-check.ts'
import { CALL_OVER, type PersonAtHand } from '../person.ts'
import type { Tool, ToolContext } from '../tool.ts'
import type { BlobSink } from './blob-sink.ts'
import { boundOutput, excerptOf, type Keep, type OutputLimits, outputOf } from './bounded-output.ts'
import { textOfThrown } from './text-of-value.ts'
import { createTimeLimit, type TimeLimit } from './time-limit.ts'

/** How long a call may take and how much it may say. */
export interface CallLimits extends OutputLimits {
  readonly timeoutMs: number
  /** What a tool gets to end by itself after its signal. */
  readonly graceMs: number
  /** Without a word of progress for so long, a call ends like at its time limit; null for no such limit. */
  readonly silenceMs: number | null
}

/** Characters of one output that are kept as a blob at most. */
const KEPT_LIMIT_CHARS = 33_554_432

/** The limits that settings give a call. The time limit is that of a tool that has none of its own. [WIN10] */
export function callLimits({ toolTimeoutMs, toolGraceMs, toolOutputChars }: Settings): CallLimits {
  return {
    timeoutMs: toolTimeoutMs,
    graceMs: toolGraceMs,
    silenceMs: null,
    outputLimitChars: toolOutputChars,
    keptLimitChars: KEPT_LIMIT_CHARS,
  }
}

/** The limits that hold where nothing is set. [DEFAULTS] */
export const DEFAULT_LIMITS: CallLimits = callLimits(USUAL_SETTINGS)

/** The one outcome of a call. [TOOL2] */
export interface CallResult {
  readonly callId: string
  readonly name: string
  readonly outcome: ToolOutcome
  /** What the model is sent; never empty. */
  readonly content: readonly ToolResultPart[]
  /** The whole output, where the content is an excerpt. */
  readonly blob?: BlobReference
  /** What its tool reported that it did, in that order, however the call ended. */
  readonly effects: readonly CallEffect[]
  /** Milliseconds that it ran, without the time in which it was suspended for a person; 0 if it never ran. */
  readonly durationMs: number
  /** What it timed out at, in milliseconds; absent where it did not. [TOOL14] */
  readonly limitMs?: number
}

/** What a tool returned after its call had settled. Shown, not used. [TOOL4] */
export interface LateResult {
  readonly callId: string
  readonly name: string
  readonly content: readonly ToolResultPart[]
  /** Milliseconds from the start of the call. */
  readonly durationMs: number
}

/** One call, and all that it touches. */
export interface CallRun {
  /** Undefined when no tool has the name. */
  readonly tool: Tool | undefined
  readonly call: ToolCall
  readonly limits: CallLimits
  readonly clock: Clock
  /** Fires at a stop. */
  readonly signal: AbortSignal
  readonly blobSink?: BlobSink
  readonly onProgress?: (message: string) => void
  /** Whom the tool may ask. */
  readonly person?: PersonAtHand
  /** Called once at most; must not throw. */
  readonly onLate: (late: LateResult) => void
  /** Called for each effect that the tool reports after the call has settled; must not throw. [TOOL4] */
  readonly onLateEffect: (effect: CallEffect) => void
}

/** How long the sink may take for the output of one call. */
const KEEP_LIMIT_MS = 10_000

/** Why a call is over before its tool is. */
type Cause = { readonly type: 'time' | 'silence'; readonly limitMs: number } | { readonly type: 'stop' }

type Finish =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'threw'; readonly thrown: unknown }

/**
 * Runs one call to its one outcome. It settles at the time limit plus the grace at the latest, and at a stop
 * plus the grace, whatever the tool does; it never throws because of a tool. [TOOL1, TOOL2, TOOL3, TOOL5, STOP5]
 */
export async function runCall(run: CallRun): Promise<CallResult> {
  const { tool, call, signal, limits } = run
  if (signal.aborted) return settledUnrun(call, 'not-started', 'The run was stopped before this call began.')
  if (!tool) return settledUnrun(call, 'error', `There is no tool named ${call.name.slice(0, 200)}.`)
  const problem = inputProblem(tool, call)
  if (problem !== null) return settledUnrun(call, 'error', excerptOf(problem, limits.outputLimitChars))
  return settle({ ...run, tool })
}

/** The result of a call that never ran. */
export function settledUnrun({ callId, name }: ToolCall, outcome: ToolOutcome, text: string): CallResult {
  return { callId, name, outcome, content: [{ type: 'text', text }], effects: [], durationMs: 0 }
}

/** What is wrong with the input, in words for the model; null when it fits. [TOOL1] */
export function inputProblem(tool: Tool, { name, input }: ToolCall): string | null {
  try {
    const check = tool.check(input)
    return check.type === 'valid' ? null : issuesInWords(name, check.issues)
  } catch (error) {
    // A schema is code of the tool: one that throws is a refusal, like everything else that a tool throws.
    return `The input of ${name} could not be checked: ${textOfThrown(error, 1_000)}. Nothing was run.`
  }
}

async function settle(run: CallRun & { readonly tool: Tool }): Promise<CallResult> {
  const reports = createReports(run.onLateEffect)
  const result = await settleReporting(run, reports.report)
  return { ...result, effects: reports.end() }
}

/** Effects in their order until the call settles; what comes later is handed on at once. */
function createReports(onLateEffect: CallRun['onLateEffect']) {
  let effects: CallEffect[] | null = []
  return {
    report(effect: CallEffect): void {
      if (effects === null) onLateEffect(effect)
      else effects.push(effect)
    },
    end(): readonly CallEffect[] {
      const all = effects ?? []
      effects = null
      return all
    },
  }
}

type EndedCall = Omit<CallResult, 'effects'>

async function settleReporting(
  run: CallRun & { readonly tool: Tool },
  report: ToolContext['report'],
): Promise<EndedCall> {
  const { tool, call, limits, clock, signal } = run
  const timeoutMs = tool.definition.timeoutMs ?? limits.timeoutMs
  const controller = new AbortController()
  const ended = Promise.withResolvers<Cause>()
  const stopwatch = createStopwatch(clock)
  const time = createTimeLimit({
    clock,
    limitMs: timeoutMs,
    onReached: () => ended.resolve({ type: 'time', limitMs: timeoutMs }),
  })
  const silence = silenceLimit(run, ended.resolve)
  const onStop = () => ended.resolve({ type: 'stop' })
  signal.addEventListener('abort', onStop, { once: true })

  let isOver = false
  const over = new AbortController()
  const context: ToolContext = {
    callId: call.callId,
    ...(call.stepId === undefined ? {} : { stepId: call.stepId }),
    signal: controller.signal,
    timeoutMs,
    progress(message: string) {
      if (isOver) return
      silence?.restart()
      run.onProgress?.(excerptOf(String(message), 1_000))
    },
    report,
    suspend() {
      const holds = [stopwatch, time, ...(silence ? [silence] : [])].map((limit) => limit.suspend())
      return () => {
        for (const release of holds) release()
      }
    },
    ...(run.person ? { person: restingWhileAsked(run.person, () => context.suspend(), over.signal) } : {}),
  }
  const work = startWork(() => tool.run(call.input, context))
  const first = await Promise.race([work, ended.promise])
  isOver = true
  over.abort(CALL_OVER)
  time.cancel()
  silence?.cancel()
  signal.removeEventListener('abort', onStop)
  if (first.type === 'returned' || first.type === 'threw') {
    return toResult(run, first, stopwatch.elapsedMs())
  }
  controller.abort(new DOMException(reasonOf(call, first), first.type === 'stop' ? 'AbortError' : 'TimeoutError'))
  const inGrace = await withinGrace(work, { clock, graceMs: limits.graceMs })
  const durationMs = stopwatch.elapsedMs()
  if (inGrace === null) reportLate(run, work, stopwatch)
  return cutShort(run, { cause: first, finish: inGrace, durationMs })
}

/** Limits rest while the person is asked; a call that is over asks nothing more. [PERM4, TOOL11] */
function restingWhileAsked(person: PersonAtHand, suspend: () => () => void, over: AbortSignal): PersonAtHand {
  async function resting<Answer>(signal: AbortSignal, ask: (either: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const goOn = suspend()
    try {
      return await ask(AbortSignal.any([signal, over]))
    } finally {
      goOn()
    }
  }
  const { place, lendModel } = person
  return {
    place,
    ask: (question, { signal }) => resting(signal, (either) => person.ask(question, { signal: either })),
    ...(lendModel === undefined
      ? {}
      : { lendModel: (wish, { signal }) => resting(signal, (either) => lendModel(wish, { signal: either })) }),
  }
}

/** Starts the tool so that what it throws at once, and what it rejects with later, is a value. */
async function startWork(work: () => unknown): Promise<Finish> {
  try {
    return { type: 'returned', value: await work() }
  } catch (thrown) {
    // Whatever a tool throws is its result. [TOOL5]
    return { type: 'threw', thrown }
  }
}

function silenceLimit({ tool, clock, limits }: CallRun, end: (cause: Cause) => void): TimeLimit | null {
  const silenceMs = tool?.definition.silenceMs ?? limits.silenceMs
  if (silenceMs === null) return null
  return createTimeLimit({ clock, limitMs: silenceMs, onReached: () => end({ type: 'silence', limitMs: silenceMs }) })
}

async function withinGrace(
  work: Promise<Finish>,
  { clock, graceMs }: { readonly clock: Clock; readonly graceMs: number },
): Promise<Finish | null> {
  const grace = Promise.withResolvers<null>()
  const cancel = clock.after(graceMs, () => grace.resolve(null))
  try {
    return await Promise.race([work, grace.promise])
  } finally {
    cancel()
  }
}

async function toResult(run: CallRun, finish: Finish, durationMs: number): Promise<EndedCall> {
  const { call, limits, tool, clock } = run
  const own = { ...limits, outputLimitChars: tool?.definition.outputLimitChars ?? limits.outputLimitChars }
  const output =
    finish.type === 'returned'
      ? await outputOf(finish.value, own, clock)
      : await outputOf(
          { type: 'tool-return', text: textOfThrown(finish.thrown, own.keptLimitChars), isError: true, images: [] },
          own,
          clock,
        )
  const bounded = await boundOutput(output, { limits: own, keep: boundedKeep(run) })
  return { callId: call.callId, name: call.name, outcome: output.isError ? 'error' : 'ok', ...bounded, durationMs }
}

/** The sink, given up at a stop and when it takes too long: the tool has ended, and its call must. */
function boundedKeep({ blobSink, clock, signal }: CallRun): Keep | null {
  if (!blobSink) return null
  return async (content, mediaType) => {
    const controller = new AbortController()
    const given = Promise.withResolvers<never>()
    const giveUp = () => {
      controller.abort()
      given.reject(new Error('it took too long, or the run was stopped'))
    }
    const cancel = clock.after(KEEP_LIMIT_MS, giveUp)
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      return await Promise.race([blobSink.keep(content, { mediaType, signal: controller.signal }), given.promise])
    } finally {
      cancel()
      signal.removeEventListener('abort', giveUp)
    }
  }
}

/** The result of a call that was ended. What the tool said within the grace is told, as an excerpt. */
async function cutShort(
  { call, limits, clock }: CallRun,
  { cause, finish, durationMs }: { readonly cause: Cause; readonly finish: Finish | null; readonly durationMs: number },
): Promise<EndedCall> {
  const reason = reasonOf(call, cause)
  const state =
    finish === null
      ? 'It did not end when it was told to; it may still be running.'
      : 'What it had done until then may remain.'
  const hasSaid = finish?.type === 'returned' && finish.value !== undefined
  const said = hasSaid ? (await outputOf(finish.value, limits, clock)).text : ''
  const text = [
    `${reason}. ${state}`,
    ...(said === '' ? [] : [`Its output until then:\n${excerptOf(said, limits.outputLimitChars)}`]),
  ]
  return {
    callId: call.callId,
    name: call.name,
    outcome: cause.type === 'stop' ? 'aborted' : 'timed-out',
    content: [{ type: 'text', text: text.join('\n\n') }],
    durationMs,
    ...(cause.type === 'stop' ? {} : { limitMs: cause.limitMs }),
  }
}

function reasonOf({ name }: ToolCall, cause: Cause): string {
  switch (cause.type) {
    case 'time':
      return `${name} timed out after ${cause.limitMs} ms`
    case 'silence':
      return `${name} timed out: it said nothing for ${cause.limitMs} ms`
    case 'stop':
      return `${name} was stopped while it ran`
  }
}

function reportLate({ call, limits, clock, onLate }: CallRun, work: Promise<Finish>, stopwatch: Stopwatch): void {
  void work.then(async (finish) => {
    const text =
      finish.type === 'returned'
        ? (await outputOf(finish.value, limits, clock)).text
        : textOfThrown(finish.thrown, limits.outputLimitChars)
    const content = [{ type: 'text' as const, text: excerptOf(text, limits.outputLimitChars) }]
    onLate({ callId: call.callId, name: call.name, content, durationMs: stopwatch.elapsedMs() })
  })
}

interface Stopwatch extends Pick<TimeLimit, 'suspend'> {
  elapsedMs(): number
}

/** Time since now, without what was suspended. */
function createStopwatch(clock: Clock): Stopwatch {
  const startedAt = clock.monotonicMs()
  let holders = 0
  let heldAt = 0
  let heldMs = 0
  return {
    elapsedMs: () => (holders > 0 ? heldAt : clock.monotonicMs()) - startedAt - heldMs,
    suspend() {
      if (holders++ === 0) heldAt = clock.monotonicMs()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        if (--holders === 0) heldMs += clock.monotonicMs() - heldAt
      }
    },
  }
}
