import type { NoteSkip } from '../import/skip.ts'
import type { LogView, SourceEvent } from '../log/source-event.ts'

/** Reads a format of one record a line: one source is one conversation. */
export interface LineReader {
  /** What the source calls the conversation; null until a record has said it. */
  sourceId(): string | null
  /** The events of a record. The next event is asked for when the one before is written. */
  read(record: unknown, context: ReadContext): Iterable<SourceEvent>
  /** Names what waited for a record that never came. */
  end?(note: NoteSkip): void
}

/** What a reader is given beside a record. */
export interface ReadContext {
  readonly log: LogView
  readonly note: NoteSkip
}

/** A format of one record a line. */
export interface LineFormat {
  readonly name: string
  /** Whether a record is of this format and of no other. */
  recognizes(record: unknown): boolean
  open(): LineReader
}

/** One conversation of a document. */
export interface DocumentConversation {
  /** Null where the document names none. */
  readonly sourceId: string | null
  events(context: ReadContext): Iterable<SourceEvent>
}

/** A format of whole JSON documents, or of lists of them. */
export interface DocumentFormat {
  readonly name: string
  recognizes(document: unknown): boolean
  conversations(document: unknown, note: NoteSkip): Iterable<DocumentConversation>
}

/** A format of plain text: conversations one after the other, each of whole lines. */
export interface TextFormat {
  readonly name: string
  /** Whether the beginning of a source is of this format. */
  recognizes(head: string): boolean
  /** Whether a line begins the next conversation. */
  begins(line: string): boolean
  /** Null where nobody said anything in these lines. */
  conversation(lines: readonly string[]): DocumentConversation | null
}
