import { markHidden } from '@holdfast/conversation'
import { useEffect, useId, useMemo } from 'react'
import { flushSync } from 'react-dom'
import { lineCount } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import type { DiffLine } from './lines/diff-of.ts'
import { DiffRows, useFromTheTop } from './lines/diff-view.tsx'
import { rowsText, textLines } from './lines/parted-text.tsx'
import { PartLine, type ShownPart, useParts } from './lines/use-parts.tsx'
import { noteUnseen, useUnseen } from './use-armed.ts'
import { type ReadBox, useReadToEnd } from './use-read-to-end.ts'

interface ReadWholeProps {
  /** The request that cannot be allowed before the end has been in sight. */
  readonly requestId: string
  readonly text: string
}

/**
 * A text that is decided on: all of it, in a box that scrolls where it is long. How long it is stands below, with a way to
 * its end, and the request is not allowed before its end has been in sight. [UI32]
 */
export function ReadWhole({ requestId, text }: ReadWholeProps) {
  const lines = useMemo(() => textLines(text), [text])
  const part = useParts(lines)
  const read = useReadParts<HTMLPreElement>(requestId, part)
  const id = useId()
  return (
    <>
      <PartLine part={part} which="before" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <pre ref={read.box} className="printed read-whole" dir="ltr" tabIndex={0} aria-describedby={id}>
        {markHidden(rowsText(part.rows))}
      </pre>
      <PartLine part={part} which="after" />
      <LengthLine id={id} read={read} lines={lineCount(text)} characters={characterCount(lines) - 1} />
    </>
  )
}

interface ReadDiffProps {
  /** The request that cannot be allowed before the end has been in sight. */
  readonly requestId: string
  /** The same while nothing changes. */
  readonly lines: readonly DiffLine[]
}

/** A change that is decided on, read as a text is. [UI53] */
export function ReadDiff({ requestId, lines }: ReadDiffProps) {
  const part = useParts(lines)
  const read = useReadParts<HTMLDivElement>(requestId, part)
  const id = useId()
  return (
    <>
      <PartLine part={part} which="before" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <div ref={read.box} className="diff" dir="ltr" tabIndex={0} aria-describedby={id}>
        <DiffRows rows={part.rows} />
      </div>
      <PartLine part={part} which="after" />
      <LengthLine id={id} read={read} lines={lines.length} characters={characterCount(lines)} />
    </>
  )
}

/** Has a request wait until the end of the last part was in sight, and says of the others how much was not shown. [UI32, UI122] */
function useReadParts<Box extends HTMLElement>(requestId: string, part: ShownPart<unknown>): ReadBox<Box> {
  const isLast = part.after.characters === 0
  const read = useReadToEnd<Box>({ requestId, isLast })
  const { unseen, whole } = part
  useEffect(
    () => noteUnseen(requestId, { lines: unseen.lines, characters: unseen.characters, of: whole.characters }),
    [requestId, unseen.lines, unseen.characters, whole.characters],
  )
  useFromTheTop(read.box, part.rows)
  return {
    ...read,
    isLong: read.isLong || unseen.characters > 0 || !isLast,
    showEnd() {
      if (!isLast) flushSync(() => part.show('last'))
      read.showEnd()
    },
  }
}

/** Says beside the button that allows how much of the request nobody was shown; nothing where all was. [UI122] */
export function UnseenNote({ requestId }: { readonly requestId: string }) {
  const unseen = useUnseen(requestId)
  if (unseen === null) return null
  const { lines, characters } = unseen
  return (
    <p className="unseen-note" data-testid="unseen-note">
      {say('tools.not-shown', { lines, characters })}
    </p>
  )
}

/** In code points; the end of each line is one, too. */
function characterCount(lines: readonly { readonly text: string }[]): number {
  let count = lines.length
  for (const { text } of lines) {
    count += text.length
    // Two code units that are one character.
    if (/[\uD800-\uDBFF]/.test(text)) count -= text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0
  }
  return count
}

interface LengthLineProps {
  readonly id: string
  readonly read: ReadBox<HTMLElement>
  readonly lines: number
  readonly characters: number
}

/** How long something is that is not in sight as a whole, with a way to its end until that was seen. */
function LengthLine({ id, read, lines, characters }: LengthLineProps) {
  if (!read.isLong) return null
  return (
    <p id={id} className="meta read-whole-length">
      {say('tools.length-of-text', { lines, characters })}{' '}
      {!read.isRead && (
        <>
          {say('tools.read-to-the-end')}{' '}
          <button type="button" className="link-button" onClick={read.showEnd}>
            {say('tools.show-the-end')}
          </button>
        </>
      )}
    </p>
  )
}
