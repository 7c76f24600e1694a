import { bounded, escaped } from './text.ts'

/** What a note is about; the sections of `context-noted` are kinds of their own. */
export type NoteKind =
  | 'stop'
  | 'gap'
  | 'left-out'
  | 'erased'
  | 'excluded'
  | 'time'
  | 'canvas'
  | 'memories'
  | 'workspace'
  | 'map'

/** The most that one note says, in characters: 1,500 tokens of dense text. [REQ6] */
const NOTE_LIMIT_CHARS = 6_000
/** The most that a repository map says, in characters: 8,000 tokens of dense text. [MAP1] */
const MAP_LIMIT_CHARS = 32_000

/** Words that are nobody's: what Holdfast tells the model, as data that cannot close its own mark. [REQ7] */
export function noteText(kind: NoteKind, text: string): string {
  return `<note kind="${kind}">\n${escaped(bounded(text, kind === 'map' ? MAP_LIMIT_CHARS : NOTE_LIMIT_CHARS))}\n</note>`
}
