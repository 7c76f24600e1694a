import type { Entry } from '@holdfast/conversation'
import type { ComposedRequest } from '../request/build-request.ts'
import type { PartOrigin } from '../request/compose-messages.ts'
import { exchangesOf } from '../sent/exchanges.ts'
import { startSeqOf } from '../sent/request-head.ts'
import { modelFamily } from '../size/model-family.ts'
import { messageSize, toTokens } from '../size/weight.ts'

/**
 * Why something is in a request: it is all that there is (`whole`), it is inside the `window`, it was `kept` beside a
 * summary, it belongs to the `current` exchange, or it is the `summary` itself, what that carried over because it is
 * `pinned` or because a person `wrote` it, or a `note` of Holdfast.
 */
export type InReason = 'whole' | 'window' | 'kept' | 'current' | 'summary' | 'pinned' | 'wrote' | 'note'

/** One message of a request. */
export interface RequestItem {
  readonly seqs: readonly number[]
  /** Estimated. */
  readonly tokens: number
  /** One for each kind of part in it. */
  readonly reasons: readonly InReason[]
}

/** Something that is in the conversation and not in the request, and why. */
export type LeftOut =
  /** A summary stands for it. */
  | { readonly reason: 'summarised'; readonly fromSeq: number; readonly toSeq: number }
  /** A person wrote it in the summarised part, and it found no room beside the summary. [CHK4] */
  | { readonly reason: 'not-carried-over'; readonly seqs: readonly number[] }
  /** It stands before the window. [WIN7] */
  | { readonly reason: 'before-window'; readonly messageCount: number }
  /** Results for which a mark is sent, because a person left them out. [TOOL10] */
  | { readonly reason: 'excluded'; readonly seqs: readonly number[] }
  /** Thinking that is bound to bytes which are no longer sent, or that was cut. [REQ4] */
  | { readonly reason: 'thinking'; readonly answerCount: number }

/** Each message of a request with the reason for it, and what is left out with the reason for that. [C8] */
export function requestItems(
  { messages, head }: ComposedRequest,
  source: {
    /** The entries that the request was composed from. */
    readonly entries: readonly Entry[]
    readonly modelId: string
    readonly ratio: number
    /** The messages that a person pinned. */
    readonly pinnedSeqs: readonly number[]
    /** The results that a person left out. */
    readonly excludedSeqs: readonly number[]
  },
): { readonly items: readonly RequestItem[]; readonly leftOut: readonly LeftOut[] } {
  const { entries, modelId, ratio, pinnedSeqs, excludedSeqs } = source
  const { checkpoint, window } = head
  const family = modelFamily(modelId)
  const currentSeq = exchangesOf(entries).at(-1)?.startSeq ?? 0
  const pinned = new Set(pinnedSeqs)
  const earlier: InReason = window ? 'window' : checkpoint ? 'kept' : 'whole'

  function reasonOf({ seq, category }: PartOrigin): InReason {
    if (category === 'summary') {
      if (seq === checkpoint?.seq) return 'summary'
      if (seq === window?.seq) return 'note'
      return pinned.has(seq) ? 'pinned' : 'wrote'
    }
    const isSaid = category === 'messages' || category === 'files' || category === 'tool-results'
    if (!isSaid) return 'note'
    return seq >= currentSeq ? 'current' : earlier
  }

  const items = messages.map(({ message, seqs, origins }) => ({
    seqs,
    tokens: toTokens(messageSize(message, family), ratio),
    reasons: [...new Set(origins.map(reasonOf))],
  }))
  const leftOut: LeftOut[] = []
  if (checkpoint) {
    const { coversFromSeq, coversToSeq, listedSeqs = [] } = checkpoint
    leftOut.push({ reason: 'summarised', fromSeq: coversFromSeq, toSeq: coversToSeq })
    if (listedSeqs.length > 0) leftOut.push({ reason: 'not-carried-over', seqs: listedSeqs })
  }
  if (window && window.leftOutCount > 0) leftOut.push({ reason: 'before-window', messageCount: window.leftOutCount })
  const sentSeqs = new Set(messages.flatMap(({ seqs }) => seqs))
  const excluded = excludedSeqs.filter((seq) => sentSeqs.has(seq))
  if (excluded.length > 0) leftOut.push({ reason: 'excluded', seqs: excluded })
  const answerCount = thinkingLeftOut({ messages, head }, entries).length
  if (answerCount > 0) leftOut.push({ reason: 'thinking', answerCount })
  return { items, leftOut }
}

/** Answers of the sent part whose thinking is not sent with them, by `seq`. [REQ4] */
export function thinkingLeftOut(
  { messages, head }: Pick<ComposedRequest, 'messages' | 'head'>,
  entries: readonly Entry[],
): readonly number[] {
  const startSeq = startSeqOf(head)
  const thinking = new Set<number>()
  const sent = new Set<number>()
  for (const { message, seqs } of messages) {
    if (message.role !== 'assistant') continue
    for (const seq of seqs) {
      sent.add(seq)
      if (message.blocks.some(({ type }) => type === 'thinking')) thinking.add(seq)
    }
  }
  return entries
    .filter(
      (entry) =>
        entry.type === 'step-finished' &&
        entry.seq >= startSeq &&
        sent.has(entry.seq) &&
        !thinking.has(entry.seq) &&
        entry.blocks.some(({ type }) => type === 'thinking'),
    )
    .map(({ seq }) => seq)
}
