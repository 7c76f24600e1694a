import type { EntryOf } from '@holdfast/conversation'
import { textWeight } from '../size/text-weight.ts'
import { toTokens } from '../size/weight.ts'
import { isLongNote, noteText } from './note.ts'
import { bounded, escaped } from './text.ts'

type Note = EntryOf<'context-noted'>

/** The most tokens that a note of one section takes. [REQ6] */
export const NOTE_LIMIT_TOKENS = 1_500

/** The most tokens of what is long by its nature: a repository map, and the instructions of a folder. [MAP1, WS15] */
const LONG_NOTE_LIMIT_TOKENS = 8_000

/** Shares of what a window holds beside the answer that one note takes at most, and one that is long by its nature. [WIN18] */
const NOTE_SHARE = 0.1
const LONG_NOTE_SHARE = 0.15

/** A section as it is now. */
export interface Fact {
  readonly section: Note['section']
  /** Null when there is nothing to say of it. */
  readonly text: string | null
  /** The most tokens that it may take; above what `noteLimitTokens` says, that holds. */
  readonly budgetTokens: number
}

/** The most tokens that a note of a section takes in a window; null for a window that nobody knows. [REQ6, WIN18] */
export function noteLimitTokens(
  section: Note['section'],
  limits: { readonly windowTokens: number; readonly reservedOutputTokens: number } | null,
): number {
  const most = isLongNote(section) ? LONG_NOTE_LIMIT_TOKENS : NOTE_LIMIT_TOKENS
  if (limits === null) return most
  const share = isLongNote(section) ? LONG_NOTE_SHARE : NOTE_SHARE
  return Math.min(most, Math.floor((limits.windowTokens - limits.reservedOutputTokens) * share))
}

/** What the model is told of a section of which nothing is left to say. */
const NOTHING_LEFT = 'What was noted here before no longer holds; there is nothing in its place.'

/**
 * The text that is to be noted, within its budget; null while the model has been told this already, or was never told
 * anything and there is nothing to say. [REQ6]
 *
 * @param noted - the newest note of the section that is still sent.
 * @param limitTokens - `noteLimitTokens` of the section.
 * @param ratio - weight of a token before anything is measured: by what is learnt of it, each turn would cut elsewhere.
 */
export function dueNote(
  { section, text, budgetTokens }: Fact,
  { noted, limitTokens, ratio }: { readonly noted: Note | null; readonly limitTokens: number; readonly ratio: number },
): string | null {
  if (text === null) return noted === null || noted.text === NOTHING_LEFT ? null : NOTHING_LEFT
  const tokensOf = (words: string): number =>
    toTokens({ weight: textWeight(noteText(section, words)), mediaTokens: 0 }, ratio)
  const due = within(text, Math.min(budgetTokens, limitTokens), tokensOf)
  return due === noted?.text ? null : due
}

/** Tokens that a text takes inside a note, without the marks of the note itself. [COST5] */
export function noteTokens(text: string, ratio: number): number {
  return toTokens({ weight: textWeight(escaped(text)), mediaTokens: 0 }, ratio)
}

/** The text, or as much of its beginning and end as the budget holds. */
function within(text: string, budgetTokens: number, tokensOf: (words: string) => number): string {
  let limitChars = text.length
  let words = bounded(text, limitChars)
  for (let tokens = tokensOf(words); tokens > budgetTokens && limitChars > 0; tokens = tokensOf(words)) {
    limitChars = Math.floor(limitChars * Math.min(0.9, budgetTokens / tokens))
    words = bounded(text, limitChars)
  }
  return words
}
