import { bounded, escaped } from './text.ts'

/** What a note is about; the sections of `context-noted` are kinds of their own. */
export type NoteKind =
  | 'stop'
  | 'gap'
  | 'left-out'
  | 'erased'
  | 'excluded'
  | 'review'
  | 'time'
  | 'canvas'
  | 'memories'
  | 'workspace'
  | 'map'
  | 'instructions'
  | 'schedules'

/** The most that one note says, in characters: 1,500 tokens of dense text. [REQ6] */
const NOTE_LIMIT_CHARS = 6_000

/** The most that a long one says, in characters: 8,000 tokens of dense text. [MAP1, WS15] */
const LONG_NOTE_LIMIT_CHARS = 32_000

/** Notes that are long by their nature. */
export function isLongNote(kind: NoteKind): boolean {
  return kind === 'map' || kind === 'instructions'
}

/** Words that are nobody's: what Holdfast tells the model, as data that cannot close its own mark. [REQ7] */
export function noteText(kind: NoteKind, text: string): string {
  return `<note kind="${kind}">\n${escaped(bounded(text, isLongNote(kind) ? LONG_NOTE_LIMIT_CHARS : NOTE_LIMIT_CHARS))}\n</note>`
}
