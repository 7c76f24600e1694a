import type { LineFormat, ReadContext } from '../formats/format-reader.ts'
import { isTooDeep, readJson } from '../log/bounded.ts'
import type { SourceEvent } from '../log/source-event.ts'
import { splitValues } from '../source/split-values.ts'
import { type SourceLine, textLines } from '../source/text-lines.ts'
import type { ImportEvent } from './import-event.ts'
import { fallbackName, type ImportRun } from './import-run.ts'
import { type OpenConversation, openConversation } from './open-conversation.ts'
import type { NoteSkip } from './skip.ts'
import { DivergedError } from './stored-log.ts'

/** Imports a source of one record a line: one conversation. A line that cannot be read is named, and the next is read. */
export async function* readLines(
  run: ImportRun,
  text: AsyncIterable<string>,
  format: LineFormat,
): AsyncGenerator<ImportEvent> {
  const { notes, options } = run
  const reader = format.open()
  let conversation: OpenConversation | null = null
  const context: ReadContext = {
    note: notes.note,
    log: { exchange: () => conversation?.log.exchange() ?? 0, place: () => conversation?.log.place() ?? -1 },
  }
  const open = async (): Promise<OpenConversation | null> => {
    conversation ??= await openConversation(run, {
      format: format.name,
      sourceId: reader.sourceId() ?? fallbackName(run),
      skippedBefore: 0,
      isNamedByWords: true,
    })
    return conversation
  }
  const pump = async function* (events: Iterable<SourceEvent>): AsyncGenerator<ImportEvent, boolean> {
    for (const event of events) {
      const opened = await open()
      if (!opened) return false
      yield* opened.write(event)
    }
    return true
  }
  const readAll = async function* (): AsyncGenerator<ImportEvent> {
    let recordCount = 0
    for await (const line of textLines(text, options.limits.valueChars)) {
      options.signal.throwIfAborted()
      notes.line = line.number
      for (const record of recordsIn(line, notes.note)) {
        while (conversation?.isCutAt(recordCount)) yield* conversation.cut()
        recordCount++
        if (!(yield* pump(reader.read(record, context)))) return
      }
      yield* notes.take()
    }
    notes.line = null
    reader.end?.(notes.note)
    const last = await open()
    if (last) yield* last.finish(recordCount)
  }
  try {
    yield* readAll()
  } catch (error) {
    if (!(error instanceof DivergedError)) throw error
    const diverged = await open()
    diverged?.noteDiverged(error)
  }
  yield* notes.take()
}

function recordsIn({ text, length }: SourceLine, note: NoteSkip): unknown[] {
  if (text === null) note({ reason: 'too-long', what: `A line of ${length} characters` })
  return text === null || text.trim() === '' ? [] : recordsOf(text, note)
}

/** The records of a line: one, or several that ran together; a record that two writers mixed up is named and left out. */
function recordsOf(text: string, note: NoteSkip): unknown[] {
  const record = readJson(text)
  if (record !== undefined) return [record]
  if (isTooDeep(text)) {
    note({ reason: 'too-deep', what: 'A record that nests too deeply' })
    return []
  }
  const pieces = splitValues(text).map(readJson)
  const whole = pieces.filter((piece) => piece !== undefined)
  const lost = pieces.length - whole.length
  const read = whole.length === 0 ? 'nothing of it was read' : `${whole.length} of its records were read`
  const what = lost === 0 ? `${whole.length} records run together; all were read` : `A line that is not JSON; ${read}`
  note({ reason: 'damaged', what })
  return whole
}
