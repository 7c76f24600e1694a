import { type RunEnd, type ThreadWindow, windowItems } from '@holdfast/client'
import {
  type ActivePath,
  type ErasedItem,
  isInRanges,
  type OpenRun,
  pathRanges,
  rangesUpTo,
  type TranscriptItem,
  type TranscriptItemOf,
  type TranscriptPart,
} from '@holdfast/conversation'
import { type BranchPlace, branchPlaces } from './branch-places.ts'
import { type CheckpointFigures, checkpointFigures } from './checkpoint/checkpoint-figures.ts'
import { sentFrom } from './sent-from.ts'

/** One input and everything that answers it. */
export interface TurnPart {
  readonly type: 'turn'
  readonly runId: string
  readonly items: readonly TranscriptItem[]
  /** How its run ended; null while it has not, or where that is not known. */
  readonly end: RunEnd | null
  /** Where the turn before it ends: what an edit or a retry keeps. 0 for the first; null where that is not known. */
  readonly keptSeq: number | null
  /** Its place beside others; null where there are none. */
  readonly branch: BranchPlace | null
  /** Whether it is kept here and not sent to the model any more. */
  readonly isUnsent: boolean
}

/** What stands between turns: an accounting line, a notice, or what is left of an erased one. */
export type LineItem =
  | Exclude<TranscriptItemOf<'accounting' | 'notice'>, { readonly code: 'window-moved' }>
  | ErasedItem

/** Files that a person brought back. */
export type RestoredItem = Extract<TranscriptItem, { readonly code: 'files-restored' }>

/** Something between turns. */
export interface LinePart {
  readonly type: 'line'
  readonly item: LineItem
  /** Of an accounting line: what it set aside, where that is here and not on the path again. */
  readonly setAside: SetAside | null
}

/** What a rewind set aside. */
export interface SetAside {
  /** The run at its end, by which it is shown again; null where that is not known. */
  readonly lastRunId: string | null
  /** The entries whose words can be erased. */
  readonly seqs: readonly number[]
}

/** A summary that stands for what is before it. */
export interface CheckpointPart {
  readonly type: 'checkpoint'
  readonly item: TranscriptItemOf<'summary'> | ErasedItem
  /** Whether requests hold it, or it was undone or replaced. */
  readonly counts: boolean
  /** How many messages it stands for; null when not all of them are here. */
  readonly coveredCount: number | null
  /** What a person wrote there and no request holds any more; the words are null where they are not here. [CHK4] */
  readonly listed: readonly { readonly seq: number; readonly words: string | null }[]
  /** What it changed and what it cost; null of an erased one. */
  readonly figures: CheckpointFigures | null
}

/** Where what is sent begins. */
export interface WindowPart {
  readonly type: 'window'
  readonly leftOutCount: number
}

/** A request that answers nothing: for a title or a summary, or its failure. */
export interface AsidePart {
  readonly type: 'aside'
  readonly item: TranscriptItem
}

/** What the thread is made of. */
export type ThreadPart = TurnPart | LinePart | CheckpointPart | WindowPart | AsidePart

/** What a turn is doing, or how it ended. */
export type TurnState =
  | 'submitting'
  | 'streaming'
  | 'tool_running'
  | 'waiting_permission'
  | 'waiting_retry'
  | 'stopping'
  | 'completed'
  | 'stopped'
  | 'interrupted'
  | 'limit'
  | 'error'

/** The thread, oldest first. */
export function threadParts(window: ThreadWindow, path: ActivePath): readonly ThreadPart[] {
  const items = windowItems(window, path)
  const asideSteps = new Set(items.flatMap((item) => (isAside(item) && item.stepId !== null ? [item.stepId] : [])))
  const sent = sentFrom(items)
  const branches = branchPlaces(window.items, path)
  const parts: ThreadPart[] = []
  let keptSeq: number | null = window.firstSeq === 1 ? 0 : null
  let turn: TurnPart | undefined
  let ofTurn: TranscriptItem[] = []
  let isWindowShown = sent.leftOutCount === 0
  for (const item of items) {
    if (!isWindowShown && item.seq >= sent.fromSeq && (item.role === 'user' || item.role === 'assistant')) {
      isWindowShown = true
      parts.push({ type: 'window', leftOutCount: sent.leftOutCount })
    }
    if (isAside(item) || (item.stepId !== null && asideSteps.has(item.stepId))) parts.push({ type: 'aside', item })
    else if (item.role === 'summary') parts.push(checkpointPart(item, { items, sent, window }))
    else if (isOfTurn(item)) {
      if (turn?.runId !== item.runId) {
        if (turn) keptSeq = turn.end?.seq ?? null
        ofTurn = []
        turn = {
          type: 'turn',
          runId: item.runId,
          items: ofTurn,
          end: window.runEnds.get(item.runId) ?? null,
          keptSeq,
          branch: branches.get(item.runId) ?? null,
          isUnsent: item.seq < sent.fromSeq,
        }
        parts.push(turn)
      }
      ofTurn.push(item)
    } else if (isLine(item)) parts.push({ type: 'line', item, setAside: setAsideBy(item, window, path) })
  }
  return withCheckpointInPlace(parts)
}

/**
 * The thread with the checkpoint that counts where what it covers ends: a summary is made after the last exchanges, which
 * stay, and stands for what is before them. [CHK1]
 */
export function withCheckpointInPlace(parts: readonly ThreadPart[]): readonly ThreadPart[] {
  const at = parts.findLastIndex((part) => part.type === 'checkpoint' && part.counts)
  const checkpoint = parts[at]
  const firstSent = parts.findIndex((part) => part.type === 'turn' && !part.isUnsent)
  if (checkpoint === undefined || firstSent < 0 || firstSent > at) return parts
  return [...parts.slice(0, firstSent), checkpoint, ...parts.slice(firstSent, at), ...parts.slice(at + 1)]
}

/** The state of a turn; `open` is its run while it has not ended. */
export function turnState(turn: TurnPart, open: OpenRun | null): TurnState {
  if (open) return phaseState(open.phase)
  if (turn.end) return outcomeState(turn.end.outcome)
  const last = turn.items.at(-1)
  if (last?.role === 'error') return 'error'
  switch (last?.state) {
    case 'stopped':
    case 'interrupted':
      return last.state
    case 'failed':
    case 'ended-early':
    case 'too-long':
      return 'error'
    case 'complete':
    case 'erased':
    case undefined:
      return 'completed'
  }
}

/** The words of a message, without what is not words. */
export function wordsOf(parts: readonly TranscriptPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** What a conversation without a title is called: how its first message begins, once that is here. */
export function firstWords({ items, firstSeq }: ThreadWindow): string | null {
  if (firstSeq > 1) return null
  const first = items.find(({ role }) => role === 'user')
  const words = first ? wordsOf(first.parts).trim().replace(/\s+/g, ' ') : ''
  if (words === '') return null
  return words.length > 60 ? `${words.slice(0, 59).trimEnd()}…` : words
}

interface CheckpointSource {
  readonly items: readonly TranscriptItem[]
  readonly sent: ReturnType<typeof sentFrom>
  readonly window: ThreadWindow
}

function checkpointPart(item: CheckpointPart['item'], { items, sent, window }: CheckpointSource): CheckpointPart {
  const counts = item === sent.checkpoint
  if (item.state === 'erased')
    return { type: 'checkpoint', item, counts, coveredCount: null, listed: [], figures: null }
  const { coversFromSeq: from, coversToSeq: to, listedSeqs } = item
  const covered = items.filter((other) => isMessage(other) && other.seq >= from && other.seq <= to)
  const listed = listedSeqs.map((seq) => {
    const message = items.find((other) => other.seq === seq)
    return { seq, words: message ? wordsOf(message.parts) : null }
  })
  const coveredCount = window.firstSeq <= from ? covered.length : null
  return { type: 'checkpoint', item, counts, coveredCount, listed, figures: checkpointFigures(items, item.seq) }
}

/** What stood on the path behind the place that a rewind went back to, as far as it is not there again. */
function setAsideBy(item: LineItem, { items, runEnds }: ThreadWindow, path: ActivePath): SetAside | null {
  const segment = path.segments.find(({ from }) => from === item.seq)
  if (item.state === 'erased' || item.code !== 'path-rewound' || segment === undefined) return null
  const segments = path.segments.filter(({ from }) => from < item.seq)
  const before = rangesUpTo({ segments, head: item.seq - 1 }, item.seq - 1)
  const now = pathRanges(path)
  const aside = items.filter(
    ({ seq }) => seq > segment.parentSeq && seq < item.seq && isInRanges(before, seq) && !isInRanges(now, seq),
  )
  if (aside.length === 0) return null
  const last = aside.findLast(({ runId }) => runId !== null && runEnds.has(runId))
  const seqs = aside.flatMap((one) => (one.state !== 'erased' && isOfTurn(one) ? [one.seq] : []))
  return { lastRunId: last?.runId ?? null, seqs }
}

function isLine(item: TranscriptItem): item is LineItem {
  if (item.state === 'erased' || item.role === 'accounting') return true
  return item.role === 'notice' && item.code !== 'window-moved'
}

function isMessage({ role }: TranscriptItem): boolean {
  return role === 'user' || role === 'assistant'
}

function isAside({ role }: TranscriptItem): boolean {
  return role === 'title-request' || role === 'title' || role === 'summary-request'
}

function isOfTurn(item: TranscriptItem): item is TranscriptItem & { runId: string } {
  return item.runId !== null && (isMessage(item) || item.role === 'error')
}

function phaseState(phase: OpenRun['phase']): TurnState {
  switch (phase) {
    case 'starting':
      return 'submitting'
    case 'waiting-to-retry':
      return 'waiting_retry'
    case 'streaming':
      return 'streaming'
    case 'running-tools':
      return 'tool_running'
    case 'waiting-for-permission':
      return 'waiting_permission'
    case 'stopping':
      return 'stopping'
  }
}

function outcomeState(outcome: RunEnd['outcome']): TurnState {
  switch (outcome) {
    case 'completed':
    case 'stopped':
    case 'interrupted':
    case 'limit':
      return outcome
    case 'failed':
      return 'error'
  }
}
