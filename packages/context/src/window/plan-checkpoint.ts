import type { Entry, EntryOf } from '@holdfast/conversation'
import { inputParts } from '../request/input-parts.ts'
import { startSeqOf } from '../sent/request-head.ts'
import { modelFamily } from '../size/model-family.ts'
import { messageSize, toTokens } from '../size/weight.ts'
import { type ContextLimits, checkpointDueTokens, sharedTokens } from './limits.ts'
import { untilOpenCalls } from './open-calls.ts'
import type { SizedExchange } from './plan-window.ts'
import { sizedExchanges, type WindowSource, windowBudget } from './plan-window.ts'
import { messageTokens } from './sized-messages.ts'

/** What a checkpoint is planned from. */
export interface CheckpointSource extends WindowSource {
  /** The carried entries that the request was composed with. */
  readonly carried: readonly Entry[]
  readonly itemLimitChars: number
  /** Messages that are carried over whatever they take. [CHK4] */
  readonly pinnedSeqs: readonly number[]
}

/** What a checkpoint covers and keeps. */
export type CheckpointPlan =
  | {
      readonly type: 'planned'
      /** The body of `checkpoint-made`, without the summary. */
      readonly range: Pick<EntryOf<'checkpoint-made'>, 'coversFromSeq' | 'coversToSeq' | 'keptFromSeq' | 'verbatimSeqs'>
      /**
       * Messages before a window that no summary covers. Where there are any, a `window-moved` that starts at the kept
       * part and names the checkpoint follows it, so that the model goes on being told. [WIN7]
       */
      readonly leftOutCount: number
      /** What people wrote in the covered part and is not carried over: for the card. [CHK4] */
      readonly listedSeqs: readonly number[]
      /** Tokens of the request afterwards, with the longest summary. */
      readonly afterTokens: number
      /** False when it would be due again at once: then it is not made but reported. [CHK5] */
      readonly makesRoom: boolean
    }
  /** A call of the path is open: a checkpoint waits for its result. [CHK2] */
  | { readonly type: 'open-calls' }
  /** All that there is would be kept. */
  | { readonly type: 'nothing-to-cover' }

/** Whether a checkpoint is made by itself now. [CHK5] */
export function isCheckpointDue(options: {
  readonly limits: ContextLimits
  readonly decisionTokens: number
  readonly budgetTokens: number
  /** What the context held right after the last checkpoint; null where there was none. */
  readonly afterLastTokens: number | null
}): boolean {
  const { limits, decisionTokens, budgetTokens, afterLastTokens } = options
  if (decisionTokens < checkpointDueTokens(limits)) return false
  return (
    afterLastTokens === null || decisionTokens - afterLastTokens >= Math.min(budgetTokens, sharedTokens(limits)) / 4
  )
}

/**
 * Plans a checkpoint: all before the last exchanges is covered. Where the last exchange alone is too large, the cut
 * falls between two of its steps, and what people said in it is carried over. A cut never separates a call from its
 * result. What an earlier checkpoint carried counts as covered: the new one folds it in. [CHK1, CHK2, CHK4, CHK9]
 */
export function planCheckpoint(source: CheckpointSource): CheckpointPlan {
  const { composed, entries, limits } = source
  if (untilOpenCalls(entries).length < entries.length) return { type: 'open-calls' }
  const exchanges = sizedExchanges(source)
  const keptFromSeq = cutSeq(source, exchanges)
  const { checkpoint, window } = composed.head
  const startSeq = startSeqOf(composed.head)
  if (keptFromSeq === null || keptFromSeq <= Math.max(startSeq, exchanges[0]?.startSeq ?? 0))
    return { type: 'nothing-to-cover' }
  const budget = windowBudget(source)
  const { verbatimSeqs, listedSeqs, carriedTokens } = carriedOver(source, {
    exchanges,
    keptFromSeq,
    budgetTokens: budget.budgetTokens + budget.openingTokens,
  })
  const afterTokens =
    budget.systemTokens + budget.toolTokens + limits.summaryTokens + carriedTokens + keptTokens(source, keptFromSeq)
  return {
    type: 'planned',
    leftOutCount: window?.leftOutCount ?? 0,
    range: {
      coversFromSeq: window && !checkpoint ? window.startSeq : 1,
      coversToSeq: keptFromSeq - 1,
      keptFromSeq,
      verbatimSeqs,
    },
    listedSeqs,
    afterTokens,
    makesRoom: afterTokens < checkpointDueTokens(limits),
  }
}

/** Where the kept part begins: as many of the last exchanges as fit, else the last steps of the last one. */
function cutSeq(source: CheckpointSource, exchanges: readonly SizedExchange[]): number | null {
  const { limits } = source
  const mostTokens = limits.keptShare * sharedTokens(limits)
  const fits = (seq: number): boolean => keptTokens(source, seq) <= mostTokens
  const last = exchanges.at(-1)
  if (!last) return null
  const starts = exchanges.slice(-Math.max(1, limits.keptExchanges)).map(({ startSeq }) => startSeq)
  const whole = starts.find(fits)
  if (whole !== undefined) return whole
  const steps = last.stepSeqs.slice(1)
  return steps.find(fits) ?? steps.at(-1) ?? last.startSeq
}

function keptTokens({ composed, modelId, ratio, margin }: CheckpointSource, fromSeq: number): number {
  return composed.messages
    .filter(({ seqs }) => (seqs.at(-1) ?? 0) >= fromSeq)
    .reduce((sum, message) => sum + messageTokens(message, { modelId, ratio, margin }), 0)
}

/** What people wrote in the covered part: pinned and in the current exchange always, the rest newest first as far as it fits. */
function carriedOver(
  source: CheckpointSource,
  at: { readonly exchanges: readonly SizedExchange[]; readonly keptFromSeq: number; readonly budgetTokens: number },
): { verbatimSeqs: number[]; listedSeqs: number[]; carriedTokens: number } {
  const { composed, entries, carried, limits, pinnedSeqs } = source
  const current = at.exchanges.at(-1)
  const known = new Map([...carried, ...entries].map((entry) => [entry.seq, entry]))
  // A message may be pinned after an earlier checkpoint did not carry it.
  const covered = [
    ...new Set([
      ...(composed.head.checkpoint?.verbatimSeqs ?? []),
      ...pinnedSeqs,
      ...at.exchanges.flatMap(({ inputSeqs }) => inputSeqs),
    ]),
  ]
    .filter((seq) => seq < at.keptFromSeq && known.get(seq)?.type === 'user-message-sent')
    .sort((one, other) => other - one)
  const isCurrent = (seq: number): boolean => {
    const entry = known.get(seq)
    return entry?.type === 'user-message-sent' && entry.runId === current?.runId
  }
  const always = new Set([...pinnedSeqs, ...covered.filter(isCurrent)])
  const mostTokens = limits.carriedShare * Math.min(at.budgetTokens, sharedTokens(limits))
  const verbatimSeqs: number[] = []
  const listedSeqs: number[] = []
  let carriedTokens = 0
  for (const seq of [...covered.filter((one) => always.has(one)), ...covered.filter((one) => !always.has(one))]) {
    const tokens = inputTokens(source, known.get(seq))
    if (always.has(seq) || carriedTokens + tokens <= mostTokens) {
      verbatimSeqs.push(seq)
      carriedTokens += tokens
    } else listedSeqs.push(seq)
  }
  return { verbatimSeqs: verbatimSeqs.sort((one, other) => one - other), listedSeqs, carriedTokens }
}

function inputTokens({ modelId, ratio, margin, itemLimitChars }: CheckpointSource, entry: Entry | undefined): number {
  if (entry?.type !== 'user-message-sent') return 0
  const parts = inputParts(entry.content, { seq: entry.seq, itemLimitChars })
  return Math.ceil(toTokens(messageSize({ role: 'user', parts }, modelFamily(modelId)), ratio) * margin)
}
