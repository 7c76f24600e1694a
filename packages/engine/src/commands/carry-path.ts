import { type RequestFacts, THINKING_DROPPED } from '@holdfast/context'
import {
  type BesideSource,
  type Entry,
  exclusions,
  type InputPart,
  isExclusive,
  type NewEntry,
  parseKnownFields,
} from '@holdfast/conversation'
import { ENGINE } from '../log/engine-actor.ts'

/** A path of one log that goes on in another. */
export interface CarriedPath {
  /** The entries on the path, and the changes of canvases beside it, oldest first. */
  readonly entries: readonly Entry[]
  /** What the whole log says of its requests. */
  readonly facts: RequestFacts
  /** Where the first of them stands in the other log. */
  readonly firstSeq: number
}

/** What takes a place in the other log. */
type Carried = { readonly type: 'entry'; readonly entry: Entry } | { readonly type: 'thinking-dropped' }

/**
 * The entries of a path as another log begins with them: runs whole, places renamed, usage marked as carried. What
 * belongs to the conversation and not to the path (queue, grants, settings, other branches) stays behind, but for the
 * canvases: what the agent was told of them stands on the path. [COST8, PRJ6, CANVAS3]
 */
export function carryPath({ entries, facts, firstSeq }: CarriedPath): NewEntry[] {
  const runs = new Set(
    entries.flatMap((entry) => (entry.type === 'run-started' && isExclusive(entry.purpose) ? [entry.runId] : [])),
  )
  const checkpoints = new Set(entries.flatMap((entry) => (entry.type === 'checkpoint-made' ? [entry.seq] : [])))
  const messages = new Set(entries.flatMap((entry) => (entry.type === 'user-message-sent' ? [entry.seq] : [])))
  const results = new Set(entries.flatMap((entry) => (entry.type === 'tool-call-settled' ? [entry.seq] : [])))
  const kept = entries.filter((entry) => belongs(entry, { runs, checkpoints, messages, results }))
  const carried = withDroppedThinking(kept, facts)
  const places = placesOf(carried, firstSeq)
  return [
    ...carried.map((item) => (item.type === 'entry' ? carriedEntry(item.entry, places) : thinkingDropped())),
    ...exclusionsBeside(kept, results, facts).map(
      ({ seq, isExcluded }): NewEntry => ({
        type: 'exclusion-changed',
        actor: ENGINE,
        resultSeq: places.from(seq),
        isExcluded,
      }),
    ),
  ]
}

/** Which results are left out otherwise than the entries of the path say: what says so was set aside. [TOOL10, PRJ6] */
function exclusionsBeside(
  kept: readonly Entry[],
  results: ReadonlySet<number>,
  { excludedSeqs }: RequestFacts,
): readonly { readonly seq: number; readonly isExcluded: boolean }[] {
  const said = new Set(exclusions.reduce(exclusions.initial, kept))
  const holding = new Set(excludedSeqs)
  return [...results]
    .filter((seq) => said.has(seq) !== holding.has(seq))
    .map((seq) => ({ seq, isExcluded: holding.has(seq) }))
}

/** What of a path comes along. */
interface Kept {
  readonly runs: ReadonlySet<string>
  readonly checkpoints: ReadonlySet<number>
  readonly messages: ReadonlySet<number>
  readonly results: ReadonlySet<number>
}

function belongs(entry: Entry, { runs, checkpoints, messages, results }: Kept): boolean {
  switch (entry.type) {
    case 'run-started':
    case 'run-finished':
    case 'user-message-sent':
    case 'step-started':
    case 'step-finished':
    case 'step-failed':
    case 'tool-call-started':
    case 'tool-call-settled':
    case 'tool-result-late':
    case 'stop-noted':
    case 'stop-requested':
      return runs.has(entry.runId)
    case 'body-erased': {
      const { requestId, questionId, runId } = entry.of
      return requestId === undefined && questionId === undefined && runId !== undefined && runs.has(runId)
    }
    case 'notice-raised':
      return entry.runId === undefined || runs.has(entry.runId)
    case 'checkpoint-undone':
      return checkpoints.has(entry.checkpointSeq)
    case 'pin-changed':
      return messages.has(entry.messageSeq)
    case 'exclusion-changed':
      return results.has(entry.resultSeq)
    case 'checkpoint-made':
    case 'window-moved':
    case 'context-noted':
    case 'usage-recorded':
    case 'canvas-changed':
    case 'changes-decided':
      return true
    case 'conversation-created':
    case 'settings-changed':
    case 'title-changed':
    case 'conversation-archived':
    case 'conversation-restored':
    case 'input-admitted':
    case 'input-changed':
    case 'input-removed':
    case 'queue-held':
    case 'queue-released':
    case 'permission-requested':
    case 'permission-settled':
    case 'permission-rule-changed':
    case 'question-asked':
    case 'question-settled':
    case 'tools-changed':
    case 'path-rewound':
    case 'path-selected':
    case 'files-changed':
    case 'memory-changed':
    case 'auto-fix-changed':
    case 'agent-switched':
    case 'agent-attached':
    case 'agent-detached':
    case 'imported':
      return false
  }
}

/**
 * What unbound thinking stands in entries that stay behind, or in times that the other log does not have: a notice
 * says so at the same place. [REQ4]
 */
function withDroppedThinking(entries: readonly Entry[], facts: RequestFacts): Carried[] {
  const isUnbound = (entry: Entry) =>
    entry.type === 'step-started' && (entry.seq <= facts.unboundBeforeSeq || entry.at <= facts.unboundUntil)
  const last = entries.findLastIndex(isUnbound)
  const next = entries.findIndex((entry, index) => index > last && entry.type === 'step-started')
  const place = last < 0 ? -1 : next < 0 ? entries.length : next
  const carried = entries.map((entry): Carried => ({ type: 'entry', entry }))
  return place < 0 ? carried : carried.toSpliced(place, 0, { type: 'thinking-dropped' })
}

function thinkingDropped(): NewEntry {
  return {
    type: 'notice-raised',
    actor: ENGINE,
    code: THINKING_DROPPED,
    severity: 'info',
    text: 'Earlier thinking is not sent again: what it was bound to had changed in the conversation that this one came from.',
  }
}

/** Where entries of the one log stand in the other. */
interface Places {
  /** The place of exactly this entry, if it came along. */
  at(seq: number): number | null
  /** The first place that stands for this entry or a later one. */
  from(seq: number): number
  /** The last place that stands for this entry or an earlier one. */
  upTo(seq: number): number
}

function placesOf(carried: readonly Carried[], firstSeq: number): Places {
  const places = carried.flatMap((item, index) =>
    item.type === 'entry' ? [{ seq: item.entry.seq, place: firstSeq + index }] : [],
  )
  const exact = new Map(places.map(({ seq, place }) => [seq, place]))
  return {
    at: (seq) => exact.get(seq) ?? null,
    from: (seq) => places[firstNotBefore(places, seq)]?.place ?? firstSeq + carried.length,
    upTo: (seq) => places[firstNotBefore(places, seq + 1) - 1]?.place ?? firstSeq,
  }
}

function firstNotBefore(places: readonly { readonly seq: number }[], seq: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle]?.seq ?? seq) < seq) low = middle + 1
    else high = middle
  }
  return low
}

/** The entry with places of the other log in it. */
function carriedEntry(entry: Entry, places: Places): NewEntry {
  const fact = parseKnownFields(entry)
  const exactly = (seqs: readonly number[]) => seqs.flatMap((seq) => places.at(seq) ?? [])
  switch (fact.type) {
    case 'usage-recorded':
      return { ...fact, carried: true }
    case 'user-message-sent':
      return { ...fact, content: fact.content.map((part) => quotedAt(part, places)) }
    case 'step-started':
      return {
        ...fact,
        anchors: exactly(fact.anchors),
        windowStartSeq: places.from(fact.windowStartSeq),
        ...(fact.beside === undefined ? {} : { beside: composedThere(fact.beside, places) }),
      }
    case 'tool-call-settled': {
      const { childTotals, ...settled } = fact
      return settled
    }
    case 'checkpoint-made':
      return {
        ...fact,
        coversFromSeq: places.from(fact.coversFromSeq),
        coversToSeq: places.upTo(fact.coversToSeq),
        keptFromSeq: places.from(fact.keptFromSeq),
        verbatimSeqs: exactly(fact.verbatimSeqs),
        ...(fact.listedSeqs === undefined ? {} : { listedSeqs: exactly(fact.listedSeqs) }),
      }
    case 'pin-changed':
      return { ...fact, messageSeq: places.from(fact.messageSeq) }
    case 'exclusion-changed':
      return { ...fact, resultSeq: places.from(fact.resultSeq) }
    case 'checkpoint-undone':
      return { ...fact, checkpointSeq: places.upTo(fact.checkpointSeq) }
    case 'window-moved':
      return movedWindow(fact, places)
    default:
      return fact
  }
}

function composedThere(beside: BesideSource, places: Places): BesideSource {
  if (beside.type === 'lent' || beside.type === 'passed') return beside
  return { ...beside, composedToSeq: places.upTo(beside.composedToSeq) }
}

function quotedAt(part: InputPart, places: Places): InputPart {
  return part.type === 'quote' && part.seq !== undefined ? { ...part, seq: places.upTo(part.seq) } : part
}

function movedWindow(
  { checkpointSeq, ...fact }: Extract<NewEntry, { type: 'window-moved' }>,
  places: Places,
): NewEntry {
  const checkpoint = checkpointSeq === undefined ? null : places.at(checkpointSeq)
  return {
    ...fact,
    startSeq: places.from(fact.startSeq),
    ...(checkpoint === null ? {} : { checkpointSeq: checkpoint }),
  }
}
