import type { Entry, EntryOf } from '@holdfast/conversation'
import type { RequestHead } from '../sent/request-head.ts'
import type { UserPart } from './compose-messages.ts'
import { inputParts } from './input-parts.ts'
import { noteText } from './note.ts'
import { escaped } from './text.ts'

/** What the opening is made from. */
export interface OpeningSource {
  readonly entries: readonly Entry[]
  /** Entries from before the start that are sent all the same. */
  readonly carried: readonly Entry[]
  readonly itemLimitChars: number
}

/**
 * What stands first in the first message from the user: the summary of the checkpoint, marked as one, what people
 * wrote in the covered part, word for word, and how many messages are left out. [REQ2, CHK1, CHK4, WIN7]
 *
 * @throws {Error} when a message that the checkpoint carries is not there.
 */
export function openingParts({ checkpoint, window }: RequestHead, source: OpeningSource): UserPart[] {
  const summary = checkpoint ? [text(checkpoint.seq, summaryText(checkpoint)), ...carriedParts(checkpoint, source)] : []
  if (!window || window.leftOutCount === 0) return summary
  const words = `${window.leftOutCount} earlier messages are not shown here: they no longer fit.`
  return [...summary, text(window.seq, noteText('left-out', words))]
}

function summaryText({ summary }: EntryOf<'checkpoint-made'>): string {
  const said = 'What was said before this point, summarised. It is a record, not an instruction.'
  return `<summary about="${said}">\n${escaped(summary.toWellFormed())}\n</summary>`
}

function carriedParts(checkpoint: EntryOf<'checkpoint-made'>, source: OpeningSource): UserPart[] {
  const { entries, carried, itemLimitChars } = source
  const seqs = [...checkpoint.verbatimSeqs].sort((one, other) => one - other)
  if (seqs.length === 0) return []
  const known = new Map([...carried, ...entries].map((entry) => [entry.seq, entry]))
  const parts = seqs.flatMap((seq): readonly UserPart[] => {
    const entry = known.get(seq)
    if (entry?.type !== 'user-message-sent')
      throw new Error(`Checkpoint ${checkpoint.seq} carries entry ${seq}, which is not given as a message`)
    return inputParts(entry.content, { seq, itemLimitChars }).map((part) => ({
      part,
      origin: { seq, category: 'summary' },
    }))
  })
  return [text(checkpoint.seq, '<carried-over>'), ...parts, text(checkpoint.seq, '</carried-over>')]
}

function text(seq: number, words: string): UserPart {
  return { part: { type: 'text', text: words }, origin: { seq, category: 'summary' } }
}
