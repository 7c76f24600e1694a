import type { DocumentConversation } from '../formats/format-reader.ts'
import type { SourceEvent } from '../log/source-event.ts'
import type { ImportEvent } from './import-event.ts'
import { fallbackName, type ImportRun } from './import-run.ts'
import { type OpenConversation, openConversation } from './open-conversation.ts'
import { DivergedError } from './stored-log.ts'

/** One conversation of a source that holds several. */
export interface SourceConversation {
  readonly format: string
  readonly source: DocumentConversation
  /** Whether the first words of a person name it until the source does. */
  readonly isNamedByWords: boolean
  /** What was left out of the source before anything of this conversation was read. */
  readonly skippedBefore: number
}

/** Writes one whole conversation of a source, unless the source had it before. */
export async function* writeConversation(
  run: ImportRun,
  { format, source, isNamedByWords, skippedBefore }: SourceConversation,
): AsyncGenerator<ImportEvent> {
  const { notes, options } = run
  const sourceId = source.sourceId ?? fallbackName(run)
  const conversation = await openConversation(run, { format, sourceId, skippedBefore, isNamedByWords })
  if (!conversation) return
  try {
    yield* writeEvents(conversation, source.events({ log: conversation.log, note: notes.note }), options.signal)
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error
    conversation.noteDiverged(error)
  }
  yield { type: 'progress', characters: run.characters, conversations: run.conversations }
}

/** Each event counts as a record. */
async function* writeEvents(
  conversation: OpenConversation,
  events: Iterable<SourceEvent>,
  signal: AbortSignal,
): AsyncGenerator<ImportEvent> {
  let recordCount = 0
  for (const event of events) {
    signal.throwIfAborted()
    while (conversation.isCutAt(recordCount)) yield* conversation.cut()
    recordCount++
    yield* conversation.write(event)
  }
  yield* conversation.finish(recordCount)
}
