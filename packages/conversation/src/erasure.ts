import type { InputPart } from './content.ts'
import type { Purpose } from './entries/run-entries.ts'
import { ErasedIds } from './entries/state-entries.ts'
import type { Entry, EntryOf } from './entry.ts'
import { placeEntry } from './entry-versions.ts'
import type { Actor } from './envelope.ts'
import { ErasureRefusedError } from './erasure-refused-error.ts'
import type { Json } from './json.ts'
import { focusIn } from './summary-focus.ts'

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

/** What a tombstone says of the act that made it. */
export interface ErasureAct {
  readonly reason: string
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  /** Who asked. */
  readonly by?: Actor
}

/** What stands at the places of entries that are erased together: each is the receipt of the whole act. [LOG9] */
export function tombstones(erased: readonly Entry[], erasure: ErasureAct): Entry[] {
  const together: Record<string, number> = {}
  for (const { type } of erased) together[type] = (together[type] ?? 0) + 1
  return erased.map((entry) => tombstone(entry, { ...erasure, together }))
}

/** What stands at the place of an erased entry. It still says what it was about, so that nothing stays open. */
export function tombstone(
  entry: Entry,
  erasure: ErasureAct & { readonly together?: Readonly<Record<string, number>> },
): Entry {
  checkErasable(entry)
  const { conversationId, seq, at, actor, type } = entry
  return placeEntry(
    {
      type: 'body-erased',
      actor,
      erasedType: type,
      of: { ...ErasedIds.parse(entry), ...answeredBy(entry) },
      reason: erasure.reason,
      erasedAt: erasure.at,
      ...(erasure.by === undefined ? {} : { erasedBy: erasure.by }),
      ...(erasure.together === undefined ? {} : { together: { ...erasure.together } }),
    },
    { conversationId, seq, at },
  )
}

/** The elements that an entry answered. */
function answeredBy(entry: Entry): Pick<EntryOf<'body-erased'>['of'], 'answered'> {
  if (entry.type !== 'canvas-changed') return {}
  const { agentId, operations } = entry
  const elementIds = operations.flatMap((operation) =>
    operation.type === 'answer-form' || operation.type === 'answer-confirmation' ? [operation.elementId] : [],
  )
  return elementIds.length === 0 ? {} : { answered: { agentId, elementIds } }
}

/** Whether an entry is a checkpoint whose summary may hold what one of these entries said. */
export function coversAny(entry: Entry, seqs: readonly number[]): boolean {
  if (entry.type !== 'checkpoint-made') return false
  const { coversFromSeq, coversToSeq, verbatimSeqs } = entry
  return seqs.some((seq) => (seq >= coversFromSeq && seq <= coversToSeq) || verbatimSeqs.includes(seq))
}

/**
 * The entries that become tombstones when these are erased, in the order of the log: they themselves, those
 * that hold a copy of the same words, the checkpoints whose summary may hold them, the titles that were made of
 * them, the answers to requests for a title or a summary that led to none, and so on from there. [LOG9]
 */
export function entriesToErase(log: readonly Entry[], seqs: readonly number[]): Entry[] {
  const stepPurposes = new Map(
    log.flatMap((entry) => (entry.type === 'step-started' ? [[entry.stepId, entry.purpose]] : [])),
  )
  const summedRuns = new Set(log.flatMap((entry) => (entry.type === 'checkpoint-made' ? [entry.runId] : [])))
  const erased = new Set(seqs)
  let before = 0
  while (erased.size > before) {
    before = erased.size
    const words = new Set(log.filter(({ seq }) => erased.has(seq)).flatMap((entry) => wordsOf(entry, stepPurposes)))
    const known = [...erased]
    const gone = log.filter(({ seq }) => erased.has(seq))
    const canvasSeq = gone.find(({ type }) => type === 'canvas-changed')?.seq ?? Number.POSITIVE_INFINITY
    const saidSeq = gone.find((entry) => isSaid(entry, stepPurposes))?.seq ?? Number.POSITIVE_INFINITY
    const shownSeq = gone.find((entry) => isShown(entry, stepPurposes))?.seq ?? Number.POSITIVE_INFINITY
    for (const entry of log) {
      const purpose = entry.type === 'step-finished' ? stepPurposes.get(entry.stepId) : undefined
      const isDrawn =
        (entry.seq > canvasSeq && isCanvasNote(entry)) ||
        (entry.seq > saidSeq && (isMadeTitle(entry) || purpose === 'title')) ||
        (entry.seq > shownSeq && purpose === 'checkpoint' && 'runId' in entry && !summedRuns.has(entry.runId))
      if (isDrawn || wordsOf(entry, stepPurposes).some((name) => words.has(name)) || coversAny(entry, known))
        erased.add(entry.seq)
    }
  }
  return log.filter(({ seq }) => erased.has(seq))
}

/**
 * What `entriesToErase` says of a log that has all of these.
 *
 * @throws {ErasureRefusedError} when one of them holds no content or does not exist.
 */
export function erasedEntries(log: readonly Entry[], seqs: readonly number[]): Entry[] {
  const known = new Set(log.map(({ seq }) => seq))
  const missing = seqs.find((seq) => !known.has(seq))
  if (missing !== undefined) throw new ErasureRefusedError(missing, 'there is no such entry')
  const erased = entriesToErase(log, seqs)
  for (const entry of erased) checkErasable(entry)
  return erased
}

function checkErasable(entry: Entry): void {
  if (!isErasable(entry)) throw new ErasureRefusedError(entry.seq, `${entry.type} holds nobody's words`)
}

/** Whether a title was made of what was said before it, by a model or of its first words, and not by a person. */
export function isMadeTitle(entry: Entry): boolean {
  return entry.type === 'title-changed' && entry.source === 'auto'
}

/** Whether a request is for a title or a summary: its answer holds the words that it was asked about, and is shown to no model. */
export function isSideRequest(purpose: Purpose | undefined): boolean {
  return purpose === 'title' || purpose === 'checkpoint'
}

/** Whether an entry is a message or an answer, and no answer to a request for a title or a summary. */
function isSaid(entry: Entry, stepPurposes: ReadonlyMap<string, Purpose>): boolean {
  if (entry.type === 'user-message-sent') return true
  return entry.type === 'step-finished' && !isSideRequest(stepPurposes.get(entry.stepId))
}

/** Whether a request for a summary may have shown an entry to a model. */
function isShown(entry: Entry, stepPurposes: ReadonlyMap<string, Purpose>): boolean {
  if (entry.type === 'step-finished') return isSaid(entry, stepPurposes)
  return entry.type !== 'title-changed' && entry.type !== 'notice-raised'
}

/** Whether an entry told the model what stands on a canvas: what is erased from the canvas may stand there too. */
export function isCanvasNote(entry: Entry): boolean {
  return entry.type === 'context-noted' && entry.section === 'canvas'
}

/** Names for the words that an entry holds and others may hold too. */
function wordsOf(entry: Entry, stepPurposes: ReadonlyMap<string, Purpose>): string[] {
  switch (entry.type) {
    case 'input-admitted':
    case 'input-changed':
    case 'user-message-sent':
      return [`input ${entry.inputId}`, ...answersIn(entry.content ?? [])]
    case 'step-finished':
      return [`step ${entry.stepId}`, `${stepPurposes.get(entry.stepId)} of ${entry.runId}`, ...callsOf(entry)]
    case 'notice-raised':
      return entry.runId === undefined || focusIn(entry) === null ? [] : [`checkpoint of ${entry.runId}`]
    case 'tool-call-started':
    case 'permission-requested':
      return [`step ${entry.stepId}`]
    case 'question-asked':
    case 'question-settled':
      return [`question ${entry.questionId}`]
    case 'canvas-changed':
      return [...callOf(entry), ...answersOn(entry)]
    case 'memory-changed':
      return callOf(entry)
    case 'title-changed':
      return entry.runId === undefined ? [] : [`title of ${entry.runId}`]
    case 'checkpoint-made':
      return entry.runId === undefined ? [] : [`checkpoint of ${entry.runId}`]
    default:
      return []
  }
}

/** What a person gave on the canvas, as the message to the agent holds it. [CANVAS6] */
export function answersIn(content: readonly InputPart[]): string[] {
  return content.flatMap((part) =>
    part.type === 'canvas' && part.answer !== undefined ? [answerName(part.elementId, part.answer)] : [],
  )
}

/** What a person gave on the canvas, as the canvas holds it. */
export function answersOn({ operations }: EntryOf<'canvas-changed'>): string[] {
  return operations.flatMap((operation) => {
    if (operation.type === 'answer-form') return [answerName(operation.elementId, operation.values)]
    return operation.type === 'answer-confirmation' ? [answerName(operation.elementId, operation.choiceId)] : []
  })
}

function answerName(elementId: string, answer: Json): string {
  return `answer to ${elementId}: ${JSON.stringify(answer)}`
}

function callOf({ callId }: { readonly callId?: string }): string[] {
  return callId === undefined ? [] : [`call ${callId}`]
}

/** The calls of an answer: what one drew on the canvas, or had remembered, holds the words of its input. */
export function callsOf({ blocks }: EntryOf<'step-finished'>): string[] {
  return blocks.flatMap((block) => (block.type === 'tool-call' ? [`call ${block.callId}`] : []))
}
