import { type Entry, type NewEntry, namedFiles } from '@holdfast/conversation'
import { RunActiveError } from '../api/conversation-engine.ts'
import type { ChangesQuestion, FileConflict, FilesRestored, FileToRestore, RestoreFiles } from '../api/files-engine.ts'
import type { EnginePorts, RestoreQuery } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carriedOutBefore, carryOut } from './carry-out.ts'
import { loggedChanges } from './logged-changes.ts'

/** How long a restoration may take, in milliseconds: it is bounded work on this disk. */
const RESTORE_LIMIT_MS = 60_000

/** Says what a restoration would do. [WS1] */
export async function planRestore(
  ports: EnginePorts,
  log: LiveLog,
  { target }: ChangesQuestion,
): Promise<readonly FileToRestore[]> {
  await log.refresh()
  const { fileRestorer } = ports
  const query = await queryOf(ports, log, target)
  if (!fileRestorer || query.changes.length === 0) return []
  return withinLimit(ports, (signal) => fileRestorer.plan({ ...query, signal }))
}

/**
 * Brings files back, then writes down what was really changed. A process that ends between the two leaves files that
 * are as they were before: the same command again, or another one, finds nothing to do in them. [WS1, LOG4]
 */
export async function restoreFiles(ports: EnginePorts, log: LiveLog, command: RestoreFiles): Promise<FilesRestored> {
  const { commandId, actor, target } = command
  const meanwhile = command.meanwhile === true ? 'restore' : 'leave'
  const asked = ['restore-files', target, meanwhile]
  await log.refresh()
  const before = await carriedOutBefore(ports, log, { command, asked })
  if (before !== null && before.length > 0) return answerOf(before, [])
  const query = await queryOf(ports, log, target)
  // One that changed nothing said only what stood against it, and says it again.
  if (before !== null) return answerOf([], await conflictsOf(ports, query))
  const { exclusive } = log.overview().runState
  if (exclusive) throw new RunActiveError(log.conversationId, exclusive.runId)
  const { fileRestorer } = ports
  if (!fileRestorer || query.changes.length === 0) return { seq: null, restored: [], conflicts: [] }
  const restore = (signal: AbortSignal) => fileRestorer.restore({ ...query, commandId, meanwhile, signal })
  const { changes, conflicts } = await withinLimit(ports, restore)
  const changed: NewEntry[] =
    changes.length === 0
      ? []
      : [
          {
            type: 'files-changed',
            actor,
            commandId,
            restores: target,
            changes: [...changes],
            ...(conflicts.length === 0 ? {} : { conflicts: [...conflicts] }),
          },
        ]
  const { entries } = await carryOut(ports, log, { command, asked }, () => changed)
  return answerOf(entries, conflicts)
}

/** What stands against bringing files back. */
async function conflictsOf(ports: EnginePorts, query: Omit<RestoreQuery, 'signal'>): Promise<readonly FileConflict[]> {
  const { fileRestorer } = ports
  if (!fileRestorer) return []
  const plan = await withinLimit(ports, (signal) => fileRestorer.plan({ ...query, signal }))
  return plan.flatMap(({ path, conflict }) => (conflict === null ? [] : [{ path, reason: conflict }]))
}

/** @throws {UnknownConversationError} */
async function queryOf(
  ports: EnginePorts,
  log: LiveLog,
  target: RestoreFiles['target'],
): Promise<Omit<RestoreQuery, 'signal'>> {
  const { conversationId } = log
  const { ownerId, settings } = log.overview()
  if (ownerId === null) throw new UnknownConversationError(conversationId)
  const changes = await loggedChanges(ports.store, { conversationId, target })
  return { conversationId, ownerId, settings, changes }
}

/** Ends work that takes too long: its signal fires. */
async function withinLimit<Result>(
  { clock }: EnginePorts,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController()
  const cancel = clock.after(RESTORE_LIMIT_MS, () => limit.abort(new Error('The restoration took too long')))
  try {
    return await work(limit.signal)
  } finally {
    cancel()
  }
}

function answerOf(entries: readonly Entry[], conflicts: FilesRestored['conflicts']): FilesRestored {
  const changed = entries.find((entry) => entry.type === 'files-changed')
  if (!changed) return { seq: null, restored: [], conflicts }
  return {
    seq: changed.seq,
    restored: namedFiles(changed.changes).map(({ path }) => path),
    conflicts: changed.conflicts ?? [],
  }
}
