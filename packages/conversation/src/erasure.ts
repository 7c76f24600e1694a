import type { Purpose } from './entries/run-entries.ts'
import { ErasedIds } from './entries/state-entries.ts'
import type { Entry, EntryOf } from './entry.ts'
import { placeEntry } from './entry-versions.ts'
import { ErasureRefusedError } from './erasure-refused-error.ts'

/**
 * Kinds that are never erased: they hold nobody's words, and what is still true of the conversation rests on
 * them. Figures stay. [LOG9]
 */
const NEVER_ERASED: ReadonlySet<Entry['type']> = new Set([
  'conversation-created',
  'conversation-archived',
  'conversation-restored',
  'input-removed',
  'queue-held',
  'queue-released',
  'run-started',
  'run-finished',
  'step-started',
  'stop-requested',
  'permission-rule-changed',
  'tools-changed',
  'checkpoint-undone',
  'pin-changed',
  'exclusion-changed',
  'window-moved',
  'agent-switched',
  'agent-attached',
  'path-rewound',
  'path-selected',
  'usage-recorded',
  'body-erased',
])

/** Whether an entry may become a tombstone. */
export function isErasable(entry: Entry): boolean {
  return !NEVER_ERASED.has(entry.type)
}

/** What stands at the place of an erased entry. It still says what it was about, so that nothing stays open. */
export function tombstone(entry: Entry, erasure: { readonly reason: string; readonly at: number }): Entry {
  if (!isErasable(entry)) throw new ErasureRefusedError(entry.seq, `${entry.type} holds nobody's words`)
  const { conversationId, seq, at, actor, type } = entry
  return placeEntry(
    {
      type: 'body-erased',
      actor,
      erasedType: type,
      of: ErasedIds.parse(entry),
      reason: erasure.reason,
      erasedAt: erasure.at,
    },
    { conversationId, seq, at },
  )
}

/** Whether an entry is a checkpoint whose summary may hold what one of these entries said. */
export function coversAny(entry: Entry, seqs: readonly number[]): boolean {
  if (entry.type !== 'checkpoint-made') return false
  const { coversFromSeq, coversToSeq, verbatimSeqs } = entry
  return seqs.some((seq) => (seq >= coversFromSeq && seq <= coversToSeq) || verbatimSeqs.includes(seq))
}

/**
 * The entries that become tombstones when these are erased, in the order of the log: they themselves, those
 * that hold a copy of the same words, the checkpoints whose summary may hold them, and so on from there. [LOG9]
 */
export function entriesToErase(log: readonly Entry[], seqs: readonly number[]): Entry[] {
  const stepPurposes = new Map(
    log.flatMap((entry) => (entry.type === 'step-started' ? [[entry.stepId, entry.purpose]] : [])),
  )
  const erased = new Set(seqs)
  let before = 0
  while (erased.size > before) {
    before = erased.size
    const words = new Set(log.filter(({ seq }) => erased.has(seq)).flatMap((entry) => wordsOf(entry, stepPurposes)))
    const known = [...erased]
    for (const entry of log) {
      if (wordsOf(entry, stepPurposes).some((name) => words.has(name)) || coversAny(entry, known)) erased.add(entry.seq)
    }
  }
  return log.filter(({ seq }) => erased.has(seq))
}

/** Names for the words that an entry holds and others may hold too. */
function wordsOf(entry: Entry, stepPurposes: ReadonlyMap<string, Purpose>): string[] {
  switch (entry.type) {
    case 'input-admitted':
    case 'input-changed':
    case 'user-message-sent':
      return [`input ${entry.inputId}`]
    case 'step-finished':
      return [`step ${entry.stepId}`, `${stepPurposes.get(entry.stepId)} of ${entry.runId}`, ...callsOf(entry)]
    case 'tool-call-started':
    case 'permission-requested':
      return [`step ${entry.stepId}`]
    case 'question-asked':
    case 'question-settled':
      return [`question ${entry.questionId}`]
    case 'canvas-changed':
      return entry.callId === undefined ? [] : [`call ${entry.callId}`]
    case 'title-changed':
      return entry.runId === undefined ? [] : [`title of ${entry.runId}`]
    case 'checkpoint-made':
      return entry.runId === undefined ? [] : [`checkpoint of ${entry.runId}`]
    default:
      return []
  }
}

/** The calls of an answer: what one drew on the canvas holds the words of its input. */
function callsOf({ blocks }: EntryOf<'step-finished'>): string[] {
  return blocks.flatMap((block) => (block.type === 'tool-call' ? [`call ${block.callId}`] : []))
}
