import {
  type CheckpointPlan,
  type ContextLimits,
  chunkRequest,
  extendedRequest,
  modelFamily,
  readSummary,
  requestSize,
  type SummaryAnswer,
  type SummaryOrder,
  summaryChunks,
  summaryInstruction,
  toTokens,
} from '@holdfast/context'
import type { EntryOf, NewEntry } from '@holdfast/conversation'
import type { Ending } from '../api/ending.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { RunAtWork } from '../log/run-at-work.ts'
import { askBeside, type BesideRequest } from './ask-beside.ts'
import { priceAlone, priceExtended } from './price-beside.ts'
import type { SummaryFailure } from './summary-failure.ts'
import type { TurnRequest } from './turn-request.ts'

/** What a checkpoint is made of. */
export interface Summarising {
  readonly at: TurnRequest
  /** What it was planned by. */
  readonly limits: ContextLimits
  readonly plan: Extract<CheckpointPlan, { type: 'planned' }>
  readonly source: EntryOf<'checkpoint-made'>['source']
  /** What a person wants the summary to keep above all. */
  readonly focus: string | null
}

/** What became of it. `stopped` leaves the end to the run. */
export type Summarised =
  | { readonly type: 'made' }
  | { readonly type: 'failed'; readonly failure: SummaryFailure }
  | { readonly type: 'stopped' }
  /** A budget does not reach for it: what needs it ends so. [COST7] */
  | { readonly type: 'over-budget'; readonly ending: Ending }

/** Asks for a summary and writes the checkpoint down. [CHK1, CHK3] */
export async function summarise(atWork: RunAtWork, summarising: Summarising): Promise<Summarised> {
  const { at, limits, focus } = summarising
  const wish = { summaryTokens: limits.summaryTokens, focus }
  const answer = fitsWhole(at)
    ? await wholeSummary(atWork, at, wish)
    : await chunkedSummary(atWork, { at, limits }, wish)
  if (answer.type !== 'summary') return answer
  await writeCheckpoint(atWork, summarising, answer.text)
  return { type: 'made' }
}

/** A request for a summary, with the estimates of what it holds and costs. */
type SummaryRequest = Pick<BesideRequest, 'request' | 'estimatedInputTokens' | 'price' | 'cacheBefore'>

type Asked = Extract<SummaryAnswer, { type: 'summary' }> | Exclude<Summarised, { type: 'made' }>

/** Whether the request with the instruction and the answer fits into the window. */
function fitsWhole({ limits, tokens }: TurnRequest): boolean {
  return limits === null || tokens.decisionTokens + 2 * limits.summaryTokens <= limits.windowTokens
}

/** The conversation's own prefix, its anchors and all, with the instruction at its end. [CHK3] */
function wholeSummary(atWork: RunAtWork, at: TurnRequest, wish: SummaryOrder): Promise<Asked> {
  const instruction = summaryInstruction(wish)
  const added = toTokens({ weight: instruction.length, mediaTokens: 0 }, at.ratio)
  const request = extendedRequest(at.request, instruction)
  const asked = { words: instruction, mostAnswerTokens: wish.summaryTokens }
  const price = priceExtended(at, asked, atWork.ports.clock.now())
  const estimatedInputTokens = at.estimatedInputTokens + added
  return ask(atWork, at, { request, estimatedInputTokens, price, cacheBefore: at.cacheBefore })
}

/** The history in pieces, each folded into the summary so far: all of it, newest included. [CHK3] */
async function chunkedSummary(
  atWork: RunAtWork,
  { at, limits: { windowTokens } }: Pick<Summarising, 'at' | 'limits'>,
  wish: SummaryOrder,
): Promise<Asked> {
  const chunkTokens = Math.max(1_000, Math.floor(windowTokens / 2) - 2 * wish.summaryTokens)
  let soFar: string | null = null
  for (const text of summaryChunks(at.composed.messages, { chunkTokens, ratio: at.ratio })) {
    const request = chunkRequest(at.request, { text, soFar, wish })
    const estimatedInputTokens = toTokens(requestSize(request, modelFamily(at.model.modelId)), at.ratio)
    const priced = { promptTokens: estimatedInputTokens, mostAnswerTokens: wish.summaryTokens }
    const price = priceAlone(at.model, priced)
    const answer: Asked = await ask(atWork, at, { request, estimatedInputTokens, price, cacheBefore: null })
    if (answer.type !== 'summary') return answer
    soFar = answer.text
  }
  if (soFar !== null) return { type: 'summary', text: soFar }
  return { type: 'failed', failure: { type: 'no-answer', reason: 'empty' } }
}

/** Asks for a summary; once more when the model called a tool instead, which is never run. [CHK3] */
async function ask(atWork: RunAtWork, at: TurnRequest, summary: SummaryRequest): Promise<Asked> {
  const first = await askOnce(atWork, at, summary)
  const calledTool =
    first.type === 'failed' && first.failure.type === 'no-answer' && first.failure.reason === 'called-a-tool'
  return calledTool ? askOnce(atWork, at, summary) : first
}

async function askOnce(atWork: RunAtWork, at: TurnRequest, summary: SummaryRequest): Promise<Asked> {
  const { model, anchors, windowStartSeq } = at
  const answer = await askBeside(atWork, 'checkpoint', { model, anchors, windowStartSeq, ...summary })
  if (answer.type !== 'answered') return answer
  const { result } = answer
  if (result.error) return { type: 'failed', failure: { type: 'request-failed', message: result.error.message } }
  const read = readSummary(result.blocks, result.finish ?? 'cut')
  return read.type === 'summary' ? read : { type: 'failed', failure: { type: 'no-answer', reason: read.reason } }
}

/** The checkpoint, and the window that goes on saying what no summary covers. [WIN7] */
async function writeCheckpoint(
  { log, runId, epoch }: RunAtWork,
  { plan, source, focus }: Summarising,
  summary: string,
): Promise<void> {
  const { range, leftOutCount, listedSeqs } = plan
  const checkpoint: NewEntry = {
    type: 'checkpoint-made',
    actor: ENGINE,
    runId,
    source,
    ...range,
    verbatimSeqs: [...range.verbatimSeqs],
    summary,
    ...(listedSeqs.length === 0 ? {} : { listedSeqs: [...listedSeqs] }),
    ...(focus === null ? {} : { focus }),
  }
  await log.append({ epoch, command: null, dropDraft: null }, (state): NewEntry[] => {
    if (leftOutCount === 0) return [checkpoint]
    const checkpointSeq = state.head + 1
    const startSeq = range.keptFromSeq
    return [checkpoint, { type: 'window-moved', actor: ENGINE, startSeq, leftOutCount, checkpointSeq }]
  })
}
