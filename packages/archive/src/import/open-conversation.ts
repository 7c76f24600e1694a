import type { EntryOf, NewEntry } from '@holdfast/conversation'
import { idsOf } from '../log/ids-of.ts'
import { createLogWriter } from '../log/log-writer.ts'
import type { LogView, SourceEvent } from '../log/source-event.ts'
import { createEntryBatches } from './entry-batches.ts'
import type { ImportEvent, KnownConversation } from './import-event.ts'
import { type ImportRun, takesTime } from './import-run.ts'
import { createStoredLog, type DivergedError } from './stored-log.ts'

/** A conversation that is being imported. Each of its generators throws a DivergedError when the store has something else. */
export interface OpenConversation {
  readonly log: LogView
  /** Takes what the source says. */
  write(event: SourceEvent): AsyncGenerator<ImportEvent>
  /** Whether an earlier import ended after so many records: then the log is closed as it was closed then. */
  isCutAt(recordCount: number): boolean
  cut(): AsyncGenerator<ImportEvent>
  /** Closes the log and marks it as whole. `recordCount`: how many records the source had. */
  finish(recordCount: number): AsyncGenerator<ImportEvent>
  /** Says why the conversation is not brought up to date. */
  noteDiverged(error: DivergedError): void
}

/** What of a source becomes a conversation. */
export interface ConversationSource {
  readonly format: string
  readonly sourceId: string
  /** What was left out of the source before anything of this conversation was read. */
  readonly skippedBefore: number
  /** Whether the first words of a person name it until the source does: many logs never do. */
  readonly isNamedByWords: boolean
}

/**
 * Opens the conversation of a source, or null where this source had it before.
 *
 * What the store has of it is read again from the source and compared; what the source has beyond it is added. An
 * earlier import ended somewhere: the log is closed there in the same way, so that the same entries come out.
 */
export async function openConversation(run: ImportRun, source: ConversationSource): Promise<OpenConversation | null> {
  const { format, sourceId, skippedBefore } = source
  const { options, notes, seen } = run
  const { ownerId, importedAt, blobs, limits } = options
  const ids = idsOf({ ownerId, format, sourceId })
  const { conversationId } = ids
  if (seen.has(conversationId)) {
    notes.note({ reason: 'repeated', what: `Conversation ${sourceId} stands in this source a second time` })
    return null
  }
  seen.add(conversationId)
  const known = await options.known(conversationId)
  const cuts = importsOf(known, { format, sourceId })
  const last = cuts.at(-1)
  const writer = createLogWriter({ ids, ownerId, format, blobs, importedAt, note: notes.note })
  const batches = createEntryBatches({ conversationId, stored: known && createStoredLog(known), limits })
  let lastAt = importedAt
  let isNamed = !source.isNamedByWords

  /** Null until the first entry says when it began. */
  let isTaken: boolean | null = null

  async function* flush(): AsyncGenerator<ImportEvent> {
    const entries = writer.take()
    const [first] = entries
    if (first) isTaken ??= takesTime(run, sourceId, first.at)
    if (isTaken === false) return
    lastAt = entries.at(-1)?.at ?? lastAt
    yield* batches.add(entries, run.characters)
  }

  async function* cut(): AsyncGenerator<ImportEvent> {
    cuts.shift()
    writer.close()
    yield* flush()
    if (isTaken === false) return
    writer.pass(await batches.passImported())
  }

  return {
    log: writer,
    async *write(event) {
      await writer.write(event)
      const name = isNamed ? null : nameOf(event)
      isNamed ||= name !== null || event.type === 'titled'
      if (name !== null) await writer.write({ type: 'titled', title: name, source: 'auto' })
      yield* flush()
    },
    isCutAt: (recordCount) => cuts[0]?.recordCount === recordCount,
    cut,
    async *finish(recordCount) {
      if (last && recordCount < last.recordCount) return noteThere(run, sourceId)
      while (cuts.length > 0) yield* cut()
      writer.close()
      yield* flush()
      if (isTaken === false) return
      if (batches.count() === 0) {
        notes.note({ reason: 'empty', what: `Conversation ${sourceId} holds no message` })
        return
      }
      if (last && batches.count() === last.seq) return noteThere(run, sourceId)
      const skippedCount = notes.contentCount() - skippedBefore
      const entry = importedEntry(run, { format, sourceId, recordCount, skippedCount })
      yield* batches.add([{ at: lastAt, entry }], run.characters)
      yield* batches.finish()
      if (last) run.updated++
      else run.conversations++
      run.entries += batches.newCount()
      const isNew = last === undefined
      yield { type: 'conversation-finished', conversationId, sourceId, entryCount: batches.count(), isNew }
    },
    noteDiverged({ seq }) {
      run.unchanged++
      if (seq > (last?.seq ?? 0))
        notes.note({
          reason: 'changed-here',
          what: `Conversation ${sourceId} has grown in its source, but was changed here after it was imported; nothing was added to it`,
        })
      else
        notes.note({
          reason: 'changed-source',
          what: `Conversation ${sourceId} is not the continuation of what was imported; that stays as it is. Delete it here to import it anew`,
        })
    },
  }
}

/** The beginning of what a person says, in characters, is name enough. */
const NAME_CHARS = 60

function nameOf(event: SourceEvent): string | null {
  if (event.type !== 'said' || event.by !== 'person') return null
  const [text] = event.parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []))
  if (!text) return null
  const line = text.split('\n', 1)[0] ?? ''
  return line.length <= NAME_CHARS ? line : `${line.slice(0, NAME_CHARS).toWellFormed().trimEnd()}…`
}

/** Where earlier imports of this source ended, oldest first. */
export function importsOf(
  known: KnownConversation | null,
  { format, sourceId }: Pick<ConversationSource, 'format' | 'sourceId'>,
): { readonly seq: number; readonly recordCount: number }[] {
  const imports = (known?.imports ?? []).filter(
    ({ source }) => source.format === format && source.id === sourceId.toWellFormed(),
  )
  return imports.map(({ seq, source }) => ({ seq, recordCount: source.recordCount ?? 0 }))
}

/** Says that the store has all of a conversation. */
export function noteThere(run: ImportRun, sourceId: string): void {
  run.alreadyThere++
  run.notes.note({ reason: 'already-imported', what: `Conversation ${sourceId} was imported before` })
}

/** The entry that ends an import. */
export function importedEntry(
  { options: { ownerId, name } }: ImportRun,
  what: {
    readonly format: string
    readonly sourceId: string
    readonly recordCount: number
    readonly skippedCount: number
  },
): Extract<NewEntry, Pick<EntryOf<'imported'>, 'type'>> {
  const { format, sourceId, recordCount, skippedCount } = what
  return {
    type: 'imported',
    actor: { type: 'person', userId: ownerId },
    source: { format, id: sourceId.toWellFormed(), name, recordCount },
    skippedCount,
  }
}
