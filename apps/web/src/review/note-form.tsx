import type { SentPart } from '@holdfast/protocol'
import { type SubmitEvent, useState } from 'react'
import { say } from '../shared/language/say.ts'
import type { ChosenLines } from './review-list.tsx'
import { linesOf } from './review-rows.ts'

/** Lines as a part of a message. */
export type QuotedLines = Extract<SentPart, { type: 'quote' }>

interface NoteFormProps {
  readonly chosen: ChosenLines
  readonly onAdd: (quote: QuotedLines, words: string) => void
  readonly onClose: () => void
}

/** A note on lines: they go into the message that is being written as a quote, with path and lines, and the words behind. [UI76] */
export function NoteForm({ chosen, onAdd, onClose }: NoteFormProps) {
  const [words, setWords] = useState('')

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    onAdd(quoteOf(chosen), words.trim())
  }

  return (
    <form className="review-note" onSubmit={onSubmit} data-testid="review-note">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked to write a note
        autoFocus
        dir="auto"
        rows={2}
        aria-label={say('review.note-words')}
        placeholder={say('review.note-words')}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
      />
      <span className="review-acts">
        <button type="submit" className="button small primary">
          {say('review.add-note')}
        </button>
        <button type="button" className="button small" onClick={onClose}>
          {say('common.cancel')}
        </button>
      </span>
    </form>
  )
}

/** The chosen lines with their signs; their numbers are those of the new text where there are any. */
function quoteOf({ file, hunk, lines }: ChosenLines): QuotedLines {
  const quoted = linesOf(hunk).filter(({ at }) => lines.has(at))
  const isOnlyOld = quoted.every(({ newNumber }) => newNumber === null)
  const numbers = quoted.flatMap(({ oldNumber, newNumber }) => {
    const number = isOnlyOld ? oldNumber : newNumber
    return number === null || number === 0 ? [] : [number]
  })
  const text = quoted.map(({ at }) => hunk.lines[at] ?? '').join('\n')
  const from = Math.min(...numbers)
  const range = numbers.length === 0 ? {} : { lines: { from, to: Math.max(...numbers) } }
  return { type: 'quote', text, path: file.path, ...range }
}
