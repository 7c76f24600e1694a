import {
  type CheckpointPlan,
  type ContextLimits,
  modelFamily,
  readSummary,
  requestSize,
  type SummaryAnswer,
  type SummaryOrder,
  summaryInstruction,
  textTokens,
  toTokens,
} from '@holdfast/context'
import type { EntryOf, NewEntry } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { Ending } from '../../api/ending.ts'
import type { RunAtWork } from '../../live/run-at-work.ts'
import { ENGINE } from '../../log/engine-actor.ts'
import { askBeside, type BesideRequest } from '../ask-beside.ts'
import { learntNotice, learntWindow, tellWindow } from '../learn-window.ts'
import { priceAlone, priceExtended } from '../price-beside.ts'
import type { TurnRequest } from '../turn-request.ts'
import { chunksOf, composeSummary, type SummarySource } from './summary-composition.ts'
import type { SummaryFailure } from './summary-failure.ts'

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
  /** The log says something new of the model: it is planned again, by that. [RUN13, WIN8] */
  | { readonly type: 'changed' }
  | { readonly type: 'stopped' }
  /** A budget does not reach for it: what needs it ends so. [COST7] */
  | { readonly type: 'over-budget'; readonly ending: Ending }

/** Asks for a summary and writes the checkpoint down. [CHK1, CHK3] */
export async function summarise(atWork: RunAtWork, summarising: Summarising): Promise<Summarised> {
  const { at, limits, focus } = summarising
  const wish = { mostTokens: limits.summaryTokens, focus }
  const whole = fitsWhole(at) ? await wholeSummary(atWork, at, wish) : TOO_LONG
  const answer = whole.type === 'too-long' ? await chunkedSummary(atWork, { at, limits }, wish) : whole
  if (answer.type !== 'summary') return answer
  await writeCheckpoint(atWork, summarising, answer.text)
  return { type: 'made' }
}

/** What is wanted: at most so many tokens, and above all something. */
interface SummaryWish extends Pick<SummaryOrder, 'focus'> {
  readonly mostTokens: number
}

/** A request for a summary, with the estimates of what it holds and costs. */
interface SummaryRequest
  extends Pick<BesideRequest, 'request' | 'estimatedInputTokens' | 'price' | 'cacheBefore' | 'anchors'> {
  readonly beside: SummarySource
}

/** A summary, and the step that answered with it. */
type Summary = Extract<SummaryAnswer, { type: 'summary' }> & { readonly stepId: string }

type Asked = Summary | Exclude<Summarised, { type: 'made' }>

/** It does not fit into the window, by the estimate or by the provider's word. */
const TOO_LONG = { type: 'too-long' } as const

type Tried = Asked | typeof TOO_LONG

/** Whether the request with the instruction and the answer fits into the window. */
function fitsWhole({ limits, tokens }: TurnRequest): boolean {
  return limits === null || tokens.decisionTokens + 2 * limits.summaryTokens <= limits.windowTokens
}

/** The conversation's own prefix as it was sent last, its anchors and all, with the instruction at its end. [CHK3, CACHE3] */
function wholeSummary(atWork: RunAtWork, at: TurnRequest, wish: SummaryWish): Promise<Tried> {
  const { anchors } = at.frozen
  return ask(atWork, at, wish, (wishedTokens) => {
    const { focus } = wish
    const words = summaryInstruction({ wishedTokens, focus })
    const added = textTokens(words, at.ratio)
    const asked = { words, mostAnswerTokens: wish.mostTokens }
    const beside: SummarySource = { type: 'summary', composedToSeq: at.composedFrom.head, wishedTokens }
    return {
      request: composeSummary(at, beside, { focus, soFar: null }),
      anchors,
      price: priceExtended(at, asked, atWork.ports.clock.now()),
      estimatedInputTokens: at.estimatedInputTokens + added,
      cacheBefore: at.cacheBefore,
      beside,
    }
  })
}

/** The history in pieces, each folded into the summary so far: all of it, newest included. [CHK3] */
async function chunkedSummary(
  atWork: RunAtWork,
  { at, limits: { windowTokens } }: Pick<Summarising, 'at' | 'limits'>,
  wish: SummaryWish,
): Promise<Asked> {
  const tokens = Math.max(1_000, Math.floor(windowTokens / 2) - 2 * wish.mostTokens)
  let soFar: Summary | null = null
  for (const [index, text] of chunksOf(at, tokens).entries()) {
    const place = { tokens, index, fromChar: 0, toChar: text.length }
    const answer: Asked = await fold(atWork, { at, wish, text, place, soFar })
    if (answer.type !== 'summary') return answer
    soFar = answer
  }
  return soFar ?? { type: 'failed', failure: { type: 'no-answer', reason: 'empty' } }
}

interface Chunk {
  readonly at: TurnRequest
  readonly wish: SummaryWish
  /** All of the chunk. */
  readonly text: string
  readonly place: Omit<NonNullable<SummarySource['chunk']>, 'soFarStepId'>
  readonly soFar: Summary | null
}

/** A chunk of fewer characters is not cut in two: something else is too long. */
const LEAST_CHUNK_CHARS = 2_000

/** Folds one chunk in; its halves, where the provider finds it too long. */
async function fold(atWork: RunAtWork, { at, wish, text, place, soFar }: Chunk): Promise<Asked> {
  const answer = await ask(atWork, at, wish, (wishedTokens) => {
    const chunk = soFar === null ? place : { ...place, soFarStepId: soFar.stepId }
    const beside: SummarySource = { type: 'summary', composedToSeq: at.composedFrom.head, wishedTokens, chunk }
    const request = composeSummary(at, beside, { focus: wish.focus, soFar: soFar?.text ?? null })
    const estimatedInputTokens = toTokens(requestSize(request, modelFamily(at.model.modelId)), at.ratio)
    const price = priceAlone(at.model, { promptTokens: estimatedInputTokens, mostAnswerTokens: wish.mostTokens })
    return { request, anchors: [], estimatedInputTokens, price, cacheBefore: null, beside }
  })
  if (answer.type !== 'too-long') return answer
  const { fromChar, toChar } = place
  if (toChar - fromChar < LEAST_CHUNK_CHARS) return { type: 'failed', failure: { type: 'too-long' } }
  const middle = fromChar + middleOf(text.slice(fromChar, toChar))
  const first = await fold(atWork, { at, wish, text, place: { ...place, toChar: middle }, soFar })
  if (first.type !== 'summary') return first
  return fold(atWork, { at, wish, text, place: { ...place, fromChar: middle }, soFar: first })
}

/** Between two characters. */
function middleOf(text: string): number {
  const middle = Math.floor(text.length / 2)
  const code = text.charCodeAt(middle)
  return code >= 0xdc00 && code <= 0xdfff ? middle + 1 : middle
}

/** Words are asked to be shorter than they may be, so that few summaries pass their bound. [CHK10] */
const WISHED_SHARE = 0.75

/** The second time they are asked to be so much shorter. */
const WISHED_SHARE_AGAIN = 0.4

/**
 * Asks for a summary; once more when the model called a tool instead, which is never run, and once more for less when it
 * was longer than it may be. [CHK3, CHK10]
 */
async function ask(
  atWork: RunAtWork,
  at: TurnRequest,
  { mostTokens }: SummaryWish,
  requestOf: (wishedTokens: number) => SummaryRequest,
): Promise<Tried> {
  const once = (share: number): Promise<Tried> =>
    askOnce(atWork, { at, asked: requestOf(Math.floor(mostTokens * share)), mostTokens })
  const first = await once(WISHED_SHARE)
  if (first.type !== 'failed' || first.failure.type !== 'no-answer') return first
  const { reason } = first.failure
  if (reason === 'called-a-tool') return once(WISHED_SHARE)
  return reason === 'over-long' ? once(WISHED_SHARE_AGAIN) : first
}

interface BoundedRequest {
  readonly at: TurnRequest
  readonly asked: SummaryRequest
  readonly mostTokens: number
}

async function askOnce(atWork: RunAtWork, { at, asked, mostTokens }: BoundedRequest): Promise<Tried> {
  const { model, windowStartSeq } = at
  const { runId } = atWork
  const request = bounded(asked.request, at, mostTokens)
  const answer = await askBeside(atWork, 'checkpoint', {
    ...asked,
    model,
    request,
    windowStartSeq,
    saidOf: ({ cause }) => {
      const learnt = learntWindow(at, cause)
      return learnt === null ? [] : [learntNotice(learnt, { runId, model })]
    },
    onSaid: ({ cause }) => {
      const learnt = learntWindow(at, cause)
      if (learnt !== null) tellWindow(atWork.ports, learnt, model)
    },
  })
  if (answer.type !== 'answered') return answer
  const { blocks, finish, error } = answer.result
  if (error?.code === 'too-long' && blocks.length === 0) return TOO_LONG
  if (error) return { type: 'failed', failure: { type: 'request-failed', message: error.message } }
  const read = readSummary(blocks, { finish: finish ?? 'cut', mostWeight: mostTokens * at.ratio })
  if (read.type === 'summary') return { type: 'summary', text: read.text, stepId: answer.stepId }
  return { type: 'failed', failure: { type: 'no-answer', reason: read.reason } }
}

/** The request with the bound of a summary; what a model thinks stands inside its bound, and gets room of its own. [CHK10] */
function bounded(request: ModelRequest, { model }: TurnRequest, mostTokens: number): ModelRequest {
  const thinks = model.facts.capabilities.thinking !== false
  const thinkingTokens = request.thinkingBudgetTokens ?? (thinks ? mostTokens : 0)
  const most = mostTokens + thinkingTokens
  return { ...request, maxOutputTokens: Math.min(request.maxOutputTokens ?? most, most) }
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
