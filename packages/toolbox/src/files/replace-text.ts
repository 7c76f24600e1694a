import { type TextFile, withLineEnds } from './text-file.ts'

/** A text to be replaced by another. */
export interface Replacement {
  readonly oldText: string
  readonly newText: string
  readonly all: boolean
}

/** The text after the replacement, or why it was not made. Lines count from 1. */
export type Replaced =
  | { readonly type: 'replaced'; readonly text: string; readonly lines: readonly number[] }
  | { readonly type: 'absent'; readonly similarLine: number | null }
  | { readonly type: 'ambiguous'; readonly lines: readonly number[] }

/**
 * Replaces a text where it stands. Line ends are compared as one, and outside the replaced place every byte stays
 * as it is, in files with several kinds of line ends too.
 */
export function replaceText(file: TextFile, { oldText, newText, all }: Replacement): Replaced {
  const plain = file.text.replaceAll('\r\n', '\n')
  const wanted = oldText.replaceAll('\r\n', '\n')
  const places = placesOf(plain, wanted)
  const lines = linesAt(plain, places)
  if (places.length === 0) return { type: 'absent', similarLine: similarLine(plain, wanted) }
  if (places.length > 1 && !all) return { type: 'ambiguous', lines }
  const original = originalOffsets(file.text)
  const written = withLineEnds(newText.replaceAll('\r\n', '\n'), file.lineEnd)
  let text = ''
  let from = 0
  for (const place of places) {
    text += file.text.slice(from, original(place)) + written
    from = original(place + wanted.length)
  }
  return { type: 'replaced', text: text + file.text.slice(from), lines }
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

function linesAt(text: string, places: readonly number[]): number[] {
  let line = 1
  let from = 0
  return places.map((place) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) {
      line++
      from = at + 1
    }
    return line
  })
}

/** From offsets in the text with plain line feeds to offsets in the text itself. */
function originalOffsets(text: string): (plainOffset: number) => number {
  /** Plain offsets of the line feeds that have a carriage return before them. */
  const feeds: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) feeds.push(at - feeds.length)
  return (plainOffset) => {
    let low = 0
    let high = feeds.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((feeds[middle] ?? 0) < plainOffset) low = middle + 1
      else high = middle
    }
    return plainOffset + low
  }
}

/** The line at which the same words stand with other blanks, or null. */
function similarLine(text: string, wanted: string): number | null {
  const first = squeezed(wanted.split('\n').find((line) => line.trim() !== '') ?? '')
  if (first === '') return null
  const index = text.split('\n').findIndex((line) => squeezed(line).includes(first))
  return index === -1 ? null : index + 1
}

function squeezed(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}
