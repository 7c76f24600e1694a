import type { TextFormat } from '../formats/format-reader.ts'
import { textLines } from '../source/text-lines.ts'
import type { ImportEvent } from './import-event.ts'
import type { ImportRun } from './import-run.ts'
import { writeConversation } from './write-conversation.ts'

/** Imports a source of plain text that holds one conversation after the other, in memory that a single one bounds. */
export async function* readText(
  run: ImportRun,
  text: AsyncIterable<string>,
  format: TextFormat,
): AsyncGenerator<ImportEvent> {
  const { notes, options } = run
  const most = options.limits.documentChars
  let lines: string[] = []
  let characters = 0
  let firstLine = 1

  async function* take(): AsyncGenerator<ImportEvent> {
    notes.line = firstLine
    const source = characters > most ? null : format.conversation(lines)
    if (characters > most)
      notes.note({ reason: 'too-long', what: `A conversation of more than ${characters} characters` })
    else if (source === null && lines.some((line) => line.trim() !== ''))
      notes.note({ reason: 'not-conversation', what: 'A part in which nobody said anything' })
    const skippedBefore = notes.contentCount()
    if (source !== null)
      yield* writeConversation(run, { format: format.name, source, skippedBefore, isNamedByWords: true })
    yield* notes.take()
    lines = []
    characters = 0
  }

  for await (const line of textLines(text, options.limits.valueChars)) {
    options.signal.throwIfAborted()
    if (line.text !== null && format.begins(line.text)) {
      yield* take()
      firstLine = line.number
    }
    characters += line.length
    if (characters > most) lines = []
    else if (line.text === null) notes.note({ reason: 'too-long', what: `A line of ${line.length} characters` })
    else lines.push(line.text)
  }
  yield* take()
}
