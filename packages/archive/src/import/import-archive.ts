import { asText } from '../source/text-lines.ts'
import { detectFormat } from './detect-format.ts'
import type { ImportEvent, ImportOptions } from './import-event.ts'
import { createImportNotes } from './import-notes.ts'
import { type ImportRun, takesFormat } from './import-run.ts'
import { readDocuments } from './read-documents.ts'
import { readLines } from './read-lines.ts'
import { readText } from './read-text.ts'

/** Characters between two events that tell the progress. */
const PROGRESS_CHARS = 1_000_000

/**
 * Imports another program's log, or an export of ours: bytes or text in, entries out, in memory that one record bounds.
 *
 * The same source gives the same conversations, entry for entry. So an import that was cut goes on where it ended, and
 * one that is repeated adds nothing. What cannot be read is named with its line and left out; nothing but an abort and
 * a failing port ends an import early.
 */
export async function* importArchive(
  chunks: AsyncIterable<string | Uint8Array>,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const notes = createImportNotes()
  const run: ImportRun = {
    options,
    notes,
    seen: new Set(),
    format: null,
    conversations: 0,
    updated: 0,
    alreadyThere: 0,
    unchanged: 0,
    entries: 0,
    characters: 0,
  }
  const source = await detectFormat(untilAborted(asText(chunks), options.signal))
  let told = 0
  for await (const event of eventsOf(run, { ...source, text: counted(source.text, run) })) {
    yield event
    if (run.characters - told < PROGRESS_CHARS) continue
    told = run.characters
    yield { type: 'progress', characters: run.characters, conversations: run.conversations }
  }
  yield* notes.take()
  const { format, conversations, updated, alreadyThere, unchanged, entries, characters } = run
  const { counts, skips } = notes
  yield {
    type: 'finished',
    report: {
      name: options.name,
      format,
      conversations,
      updated,
      alreadyThere,
      unchanged,
      entries,
      characters,
      skippedCounts: { ...counts },
      skips: [...skips],
    },
  }
}

async function* eventsOf(
  run: ImportRun,
  { shape, text }: Awaited<ReturnType<typeof detectFormat>>,
): AsyncGenerator<ImportEvent> {
  switch (shape.type) {
    case 'lines':
      if (!takesFormat(run, shape.format.name)) return
      run.format = shape.format.name
      yield { type: 'format-detected', format: shape.format.name }
      yield* readLines(run, text, shape.format)
      return
    case 'text':
      if (!takesFormat(run, shape.format.name)) return
      run.format = shape.format.name
      yield { type: 'format-detected', format: shape.format.name }
      yield* readText(run, text, shape.format)
      return
    case 'document':
      yield* readDocuments(run, text)
      return
    case 'unknown':
      run.notes.note({
        reason: 'unknown-format',
        what: 'The source is of no known format: neither records of a known program nor a JSON document',
      })
  }
}

async function* untilAborted(text: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const chunk of text) {
    signal.throwIfAborted()
    yield chunk
  }
}

async function* counted(text: AsyncIterable<string>, run: ImportRun): AsyncGenerator<string> {
  for await (const chunk of text) {
    run.characters += chunk.length
    yield chunk
  }
}
