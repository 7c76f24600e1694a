import { idsOf } from '../log/ids-of.ts'
import { createLogWriter } from '../log/log-writer.ts'
import type { LogView, SourceEvent } from '../log/source-event.ts'
import { createEntryBatches } from './entry-batches.ts'
import type { ImportEvent } from './import-event.ts'
import type { ImportRun } from './import-run.ts'

/** A conversation that is being imported. */
export interface OpenConversation {
  readonly log: LogView
  /** Takes what the source says; the batches that come of it are complete before the next event. */
  write(event: SourceEvent): AsyncGenerator<ImportEvent>
  /** Closes the log and marks it as whole. */
  finish(): AsyncGenerator<ImportEvent>
}

/** Opens the conversation of a source, or null when the store has all of it, or this source had it before. */
export async function openConversation(
  run: ImportRun,
  source: {
    readonly format: string
    readonly sourceId: string
    /** What was left out of the source before anything of this conversation was read. */
    readonly skippedBefore: number
  },
): Promise<OpenConversation | null> {
  const { format, sourceId, skippedBefore } = source
  const { options, notes, seen } = run
  const { ownerId, name, importedAt, blobs } = options
  const ids = idsOf({ ownerId, format, sourceId })
  const { conversationId } = ids
  if (seen.has(conversationId)) {
    notes.note({ reason: 'repeated', what: `Conversation ${sourceId} stands in this source a second time` })
    return null
  }
  seen.add(conversationId)
  const known = await options.known(conversationId)
  if (known?.isComplete) {
    run.alreadyThere++
    notes.note({ reason: 'already-imported', what: `Conversation ${sourceId} was imported before` })
    return null
  }
  const writer = createLogWriter({ ids, ownerId, format, blobs, importedAt, note: notes.note })
  const batches = createEntryBatches(conversationId, known?.entryCount ?? 0)
  let lastAt = importedAt
  const flush = function* (): Iterable<ImportEvent> {
    const entries = writer.take()
    lastAt = entries.at(-1)?.at ?? lastAt
    yield* batches.batchesOf(entries)
  }
  return {
    log: writer,
    async *write(event) {
      await writer.write(event)
      yield* flush()
    },
    async *finish() {
      writer.close()
      yield* flush()
      if (batches.count() === 0) {
        notes.note({ reason: 'empty', what: `Conversation ${sourceId} holds no message` })
        return
      }
      const named = { format, id: sourceId.toWellFormed(), name }
      const skippedCount = notes.contentCount() - skippedBefore
      const entry = {
        type: 'imported',
        actor: { type: 'person', userId: ownerId },
        source: named,
        skippedCount,
      } as const
      yield* batches.batchesOf([{ at: lastAt, entry }])
      run.conversations++
      run.entries += batches.newCount()
      const isNew = known === null
      yield { type: 'conversation-finished', conversationId, sourceId, entryCount: batches.count(), isNew }
    },
  }
}
