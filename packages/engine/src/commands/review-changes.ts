import { type ChangeTarget, type Entry, type NewEntry, namedFiles } from '@holdfast/conversation'
import type { RejectedChange, ReviewMarks } from '@holdfast/tool'
import { RunActiveError } from '../api/conversation-engine.ts'
import type {
  ChangesDecided,
  ChangesQuestion,
  DecideChanges,
  FileConflict,
  ReviewedChanges,
} from '../api/files-engine.ts'
import type { EnginePorts, ReviewQuery } from '../api/ports.ts'
import { noBase } from '../api/refused-command-error.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { type BegunDecision, forgetBegun, keepBegun } from '../log/begun-decisions.ts'
import type { LiveLog } from '../log/live-log.ts'
import { reviewNote } from '../log/review-note.ts'
import { carriedOutBefore, carryOut } from './carry-out.ts'
import { lastChangingRun, loggedReview } from './logged-changes.ts'

/** How long looking at files and taking them back may take, in milliseconds: it is bounded work on this disk. */
const REVIEW_LIMIT_MS = 60_000

/** Says what changes of files did and what became of them. [WS9] */
export async function readChanges(
  ports: EnginePorts,
  log: LiveLog,
  question: ChangesQuestion,
): Promise<ReviewedChanges> {
  await log.refresh()
  const target = await targetOf(ports, log, question)
  if (target === null) return { target: { type: 'since', seq: log.overview().head }, base: null, files: [] }
  const query = await queryOf(ports, log, target)
  const { changeReviewer } = ports
  if (!changeReviewer || hasNothing(query)) return { target, base: null, files: [] }
  const read = await withinLimit(ports, (signal) => changeReviewer.read({ ...query, signal }))
  if (read === null) throw noBase(log.conversationId)
  return { target, ...read }
}

/**
 * Takes back what is rejected, then writes down what was decided and what was really changed. What is about to be taken back
 * is kept before the first file is written. After a process that ended in between the same command finds nothing, or the rest,
 * to take back, and says what was decided: `begun` is what was kept then, and empty for a command that comes by itself. [WS1, WS9, LOG4]
 */
export async function decideChanges(
  ports: EnginePorts,
  log: LiveLog,
  { command, rejected: begun }: BegunDecision,
): Promise<ChangesDecided> {
  const { commandId, actor, target, decisions } = command
  const meanwhile = command.meanwhile === true ? 'restore' : 'leave'
  const asked = ['decide-changes', target, decisions, meanwhile]
  await log.refresh()
  const before = await carriedOutBefore(ports, log, { command, asked })
  if (before !== null) {
    await forget(ports, command)
    return answerOf(before)
  }
  const query = await queryOf(ports, log, target)
  const { exclusive } = log.overview().runState
  if (exclusive) throw new RunActiveError(log.conversationId, exclusive.runId)
  const { changeReviewer } = ports
  if (!changeReviewer || hasNothing(query)) return answerOf([])
  const onPlanned = (planned: readonly RejectedChange[]) => keep(ports, { command, rejected: joined(planned, begun) })
  const decide = (signal: AbortSignal) =>
    changeReviewer.decide({ ...query, commandId, decisions, meanwhile, signal, onPlanned })
  const decided = await withinLimit(ports, decide).catch(async (error: unknown) => {
    // Whoever asked is told, and decides anew by what they see.
    await forget(ports, command)
    throw error
  })
  if (decided === null) throw noBase(log.conversationId)
  const { changes } = decided
  const rejected = joined(decided.rejected, begun)
  const conflicts = decided.conflicts.length === 0 ? {} : { conflicts: [...decided.conflicts] }
  const note = reviewNote({ rejected, isUndoing: await isUndoing(ports, log, target) })
  const by = { actor, commandId }
  const { entries } = await carryOut(ports, log, { command, asked }, () => [
    ...(changes.length === 0
      ? []
      : [{ type: 'files-changed' as const, ...by, restores: target, changes: [...changes], ...conflicts }]),
    {
      type: 'changes-decided' as const,
      ...by,
      target,
      marks: [...decided.marks],
      ...conflicts,
      ...(note === null ? {} : { note }),
    },
  ])
  await forget(ports, command)
  return answerOf(entries)
}

async function keep({ records, clock }: EnginePorts, decision: BegunDecision): Promise<void> {
  if (records !== null && decision.rejected.length > 0) await keepBegun(records, decision, clock.now())
}

async function forget({ records }: EnginePorts, command: DecideChanges): Promise<void> {
  if (records !== null) await forgetBegun(records, command)
}

/** What is rejected now, and what was rejected of other files when it was begun. */
function joined(now: readonly RejectedChange[], begun: readonly RejectedChange[]): readonly RejectedChange[] {
  const paths = new Set(now.map(({ path }) => path))
  return [...now, ...begun.filter(({ path }) => !paths.has(path))]
}

/** What a base is compared with is not in the log. */
function hasNothing({ target, changes }: Omit<ReviewQuery, 'signal'>): boolean {
  return target.type !== 'base' && changes.length === 0
}

async function targetOf(
  { store }: EnginePorts,
  { conversationId }: LiveLog,
  { target }: ChangesQuestion,
): Promise<ChangeTarget | null> {
  if (target.type !== 'turn') return target
  const runId = await lastChangingRun(store, conversationId)
  return runId === null ? null : { type: 'run', runId }
}

/** Whether the changes are what a person took back before. */
async function isUndoing({ store }: EnginePorts, { conversationId }: LiveLog, target: ChangeTarget): Promise<boolean> {
  if (target.type !== 'set') return false
  const { entries } = await store.read({ conversationId, after: target.seq - 1, limit: 1 })
  return entries.some((entry: Entry | NewEntry) => entry.type === 'files-changed' && entry.restores !== undefined)
}

/** @throws {UnknownConversationError} */
async function queryOf(ports: EnginePorts, log: LiveLog, target: ChangeTarget): Promise<Omit<ReviewQuery, 'signal'>> {
  const { conversationId } = log
  const { ownerId, settings } = log.overview()
  if (ownerId === null) throw new UnknownConversationError(conversationId)
  const { changes, marks } = await loggedReview(ports.store, { conversationId, target })
  const known: ReviewMarks = { kept: idsWhere(marks, true), rejected: idsWhere(marks, false) }
  return { conversationId, ownerId, settings, target, changes, marks: known }
}

function idsWhere(marks: ReadonlyMap<string, boolean | null>, keep: boolean): ReadonlySet<string> {
  return new Set([...marks].flatMap(([id, decided]) => (decided === keep ? [id] : [])))
}

/** Ends work that takes too long: its signal fires. */
async function withinLimit<Result>(
  { clock }: EnginePorts,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController()
  const cancel = clock.after(REVIEW_LIMIT_MS, () => limit.abort(new Error('The review took too long')))
  try {
    return await work(limit.signal)
  } finally {
    cancel()
  }
}

function answerOf(entries: readonly Entry[]): ChangesDecided {
  const changed = entries.find((entry) => entry.type === 'files-changed')
  const decided = entries.find((entry) => entry.type === 'changes-decided')
  const conflicts: readonly FileConflict[] = decided?.conflicts ?? []
  return {
    seq: changed?.seq ?? null,
    restored: changed ? namedFiles(changed.changes).map(({ path }) => path) : [],
    conflicts,
  }
}
