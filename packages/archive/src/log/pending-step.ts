import type { AnswerBlock, EntryOf, NewEntry, ToolResultPart } from '@holdfast/conversation'
import { cleanJson, readJson } from './bounded.ts'
import type { SourceIds } from './ids-of.ts'
import type { SourceBlock, SourceEvent, SourceUsage } from './source-event.ts'

type Answered = Extract<SourceEvent, { type: 'answered' }>

/** The outcome of a call, as far as it is known. */
interface Returned {
  readonly at: number
  readonly content: ToolResultPart[]
  readonly isError: boolean
  readonly durationMs: number
}

interface PendingCall {
  /** What the source calls it. */
  readonly sourceId: string
  readonly callId: string
  readonly name: string
  readonly inputText: string
  returned: Returned | null
}

/** An answer whose end is not known yet: more of its blocks and the results of its calls may follow. */
export interface PendingStep {
  readonly stepId: string
  readonly answerId: string | null
  readonly providerId: string
  readonly modelId: string
  readonly startedAt: number
  endedAt: number
  readonly blocks: AnswerBlock[]
  readonly calls: PendingCall[]
  usage: SourceUsage | null
  finish: Answered['finish']
}

/** An entry with its time. */
export interface DatedEntry {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly entry: NewEntry
}

/** Begins an answer. */
export function pendingStep(event: Answered, at: number, stepId: string): PendingStep {
  const { answerId } = event
  const providerId = event.providerId.toWellFormed() || 'unknown'
  const modelId = event.modelId.toWellFormed() || 'unknown'
  return {
    stepId,
    answerId,
    providerId,
    modelId,
    startedAt: at,
    endedAt: at,
    blocks: [],
    calls: [],
    usage: null,
    finish: null,
  }
}

/** Adds what came of the same answer. */
export function growStep(step: PendingStep, event: Answered, at: number, ids: SourceIds): void {
  step.endedAt = Math.max(step.endedAt, at)
  for (const block of event.blocks) step.blocks.push(answerBlock(step, block, ids))
  if (event.usage) step.usage = event.usage
  if (event.finish) step.finish = event.finish
}

/** Gives a result to the call it belongs to; results that a source gives in several parts are one. @returns whether there is such a call. */
export function giveResult(step: PendingStep, callId: string, returned: Returned): boolean {
  const ofThisId = step.calls.filter(({ sourceId }) => sourceId === callId)
  const call = ofThisId.find((one) => one.returned === null) ?? ofThisId.at(-1)
  if (!call) return false
  const known = call.returned
  call.returned = known ? { ...returned, content: [...known.content, ...returned.content] } : returned
  return true
}

/** Whether a call of the answer has no result yet. */
export function hasOpenCalls({ calls }: PendingStep): boolean {
  return calls.some(({ returned }) => returned === null)
}

/** What is said of a call whose result the source does not hold. */
const NO_RESULT = 'The imported log holds no result of this call; whether it ran is not known.'

/**
 * The entries of an answer: its request, its blocks, its usage, and one outcome for each of its calls. [TOOL2, COST8]
 *
 * The hashes of the request are empty: nobody has its bytes.
 */
export function stepEntries(
  step: PendingStep,
  { runId, format }: { readonly runId: string; readonly format: string },
): DatedEntry[] {
  const { stepId, startedAt, endedAt, calls } = step
  const common = { actor: { type: 'engine' }, runId, stepId } as const
  const started: NewEntry = { ...stepStart(step, runId), stepId }
  const finished: NewEntry = { type: 'step-finished', ...common, blocks: step.blocks, ...finishOf(step) }
  const entries: DatedEntry[] = [
    { at: startedAt, entry: started },
    { at: endedAt, entry: finished },
  ]
  if (step.usage) entries.push({ at: endedAt, entry: usageEntry(step, step.usage, { runId, format }) })
  for (const { callId, name, inputText, returned } of calls) {
    const input = readJson(inputText.trim() === '' ? '{}' : inputText)
    if (input !== undefined)
      entries.push({
        at: endedAt,
        entry: { type: 'tool-call-started', ...common, callId, name, input: cleanJson(input), effects: true },
      })
    entries.push({
      at: returned?.at ?? endedAt,
      entry: {
        type: 'tool-call-settled',
        ...common,
        callId,
        name,
        outcome: returned ? (returned.isError ? 'error' : 'ok') : 'unknown',
        content: returned?.content ?? [{ type: 'text', text: NO_RESULT }],
        durationMs: returned?.durationMs ?? 0,
      },
    })
  }
  return entries
}

/** The entry that begins a request of another program. */
export function stepStart(
  { stepId, providerId, modelId }: Pick<PendingStep, 'stepId' | 'providerId' | 'modelId'>,
  runId: string,
): EntryOfNew<'step-started'> {
  return {
    type: 'step-started',
    actor: { type: 'engine' },
    runId,
    stepId,
    purpose: 'turn',
    providerId,
    modelId,
    requestHash: '',
    prefixHash: '',
    anchors: [],
    windowStartSeq: 1,
    builderVersion: 1,
  }
}

type EntryOfNew<Type extends NewEntry['type']> = Extract<NewEntry, { type: Type }>

function answerBlock(step: PendingStep, block: SourceBlock, ids: SourceIds): AnswerBlock {
  if (block.type !== 'tool-call') return { type: block.type, text: block.text.toWellFormed() }
  const given = block.callId.toWellFormed()
  const taken = given === '' || step.calls.some(({ callId }) => callId === given)
  const callId = taken ? ids.next('call') : given
  const name = block.name.toWellFormed()
  const inputText = block.inputText.toWellFormed()
  step.calls.push({ sourceId: block.callId, callId, name, inputText, returned: null })
  return { type: 'tool-call', callId, name, inputText, complete: true }
}

function finishOf({ finish, calls }: PendingStep): Pick<EntryOf<'step-finished'>, 'finish' | 'cut'> {
  if (calls.length > 0) return { finish: 'tool-calls' }
  if (finish === 'stopped') return { finish: 'cut', cut: 'stopped' }
  return { finish: finish === null || finish === 'tool-calls' ? 'end' : finish }
}

/** Characters of a token of an answer, where only the beginning was counted: measured at 2.1 to 2.75 on agents' logs. */
const CHARACTERS_OF_TOKEN = 2.5

function usageEntry(
  step: PendingStep,
  usage: SourceUsage,
  { runId, format }: { readonly runId: string; readonly format: string },
): NewEntry {
  const { stepId, providerId, modelId, finish, calls } = step
  const estimated = Math.ceil(
    step.blocks.reduce((sum, block) => sum + (block.type === 'tool-call' ? block.inputText : block.text).length, 0) /
      CHARACTERS_OF_TOKEN,
  )
  return {
    type: 'usage-recorded',
    actor: { type: 'engine' },
    runId,
    stepId,
    purpose: 'turn',
    providerId,
    modelId,
    inputTokens: count(usage.inputTokens),
    cacheReadTokens: count(usage.cacheReadTokens),
    cacheCreation5mTokens: count(usage.cacheCreation5mTokens),
    cacheCreation1hTokens: count(usage.cacheCreation1hTokens),
    outputTokens: usage.isOutputFinal ? count(usage.outputTokens) : Math.max(count(usage.outputTokens), estimated),
    thinkingTokens: count(usage.thinkingTokens),
    costUsd: usage.costUsd !== null && usage.costUsd >= 0 && Number.isFinite(usage.costUsd) ? usage.costUsd : null,
    priceReference: `imported from ${format}`,
    measured: usage.isOutputFinal && usage.isOfOtherPrompt !== true,
    outcome: finish === 'stopped' && calls.length === 0 ? 'stopped' : 'completed',
    carried: true,
  }
}

function count(tokens: number): number {
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0
}
