import { markHidden } from '@holdfast/conversation'
import { useId } from 'react'
import { lineCount } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import type { DiffLine } from './diff-of.ts'
import { DiffLines } from './diff-view.tsx'
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
  const read = useReadToEnd<HTMLPreElement>(requestId)
  const id = useId()
  const shown = markHidden(text)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <pre ref={read.box} className="printed read-whole" dir="ltr" tabIndex={0} aria-describedby={id}>
        {shown}
      </pre>
      <LengthLine id={id} read={read} lines={lineCount(shown)} characters={Array.from(text).length} />
    </>
  )
}

interface ReadDiffProps {
  /** The request that cannot be allowed before the end has been in sight. */
  readonly requestId: string
  readonly lines: readonly DiffLine[]
}

/** A change that is decided on, read as a text is. [UI53] */
export function ReadDiff({ requestId, lines }: ReadDiffProps) {
  const read = useReadToEnd<HTMLDivElement>(requestId)
  const id = useId()
  // The end of each line is one, too.
  const characters = lines.reduce((sum, { text }) => sum + Array.from(text).length + 1, 0)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <div ref={read.box} className="diff" dir="ltr" tabIndex={0} aria-describedby={id}>
        <DiffLines lines={lines} />
      </div>
      <LengthLine id={id} read={read} lines={lines.length} characters={characters} />
    </>
  )
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
