import { markHidden } from '@holdfast/conversation'
import { diffWordsWithSpace } from 'diff'
import type { HunkLine } from './review-rows.ts'

/** Lines longer than this are not compared word by word, in characters. */
const COMPARED_CHARS = 2_000
/** Two lines that share less than this of the longer one are two lines, and not one that changed. */
const LEAST_SHARED = 0.3

/** A line with the words marked in which it differs from the one whose place it took. [UI74] */
export function MarkedWords({ line }: { readonly line: HunkLine }) {
  const pieces = piecesOf(line)
  if (pieces === null) return <>{shown(line.text)}</>
  return pieces.map(({ text, isMarked }, index) =>
    isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a line never move
      <mark key={index}>{shown(text)}</mark>
    ) : (
      shown(text)
    ),
  )
}

interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

function piecesOf({ type, text, partner }: HunkLine): readonly Piece[] | null {
  if (partner === null || type === 'same' || text.length + partner.length > COMPARED_CHARS) return null
  const [old, next] = type === 'removed' ? [text, partner] : [partner, text]
  const changes = diffWordsWithSpace(old, next)
  const shared = changes.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length), 0)
  if (shared < LEAST_SHARED * Math.max(old.length, next.length)) return null
  return changes.flatMap(({ added, removed, value }) => {
    if (type === 'removed' ? added : removed) return []
    return [{ text: value, isMarked: added || removed }]
  })
}

/** A carriage return at the end of a line is seen. */
function shown(text: string): string {
  return markHidden(text.endsWith('\r') ? `${text.slice(0, -1)}␍` : text)
}
