import { markHidden } from '@holdfast/conversation'
import { useEffect, useId, useRef, useState } from 'react'
import { say } from '../shared/language/say.ts'
import { noteRead, waitForReading, wasRead } from './use-armed.ts'

interface ReadWholeProps {
  /** The request that cannot be answered before the end has been in sight. */
  readonly requestId: string
  readonly text: string
}

/**
 * A text that is decided on: all of it, in a box that scrolls where it is long. How long it is stands below, with a way to
 * its end, and the request takes no answer before its end has been in sight. [UI32]
 */
export function ReadWhole({ requestId, text }: ReadWholeProps) {
  const box = useRef<HTMLPreElement>(null)
  const [isLong, setLong] = useState(false)
  const [isRead, setRead] = useState(() => wasRead(requestId))
  const id = useId()
  const shown = markHidden(text)

  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const own = element
    function look(): void {
      setLong(own.scrollHeight > own.clientHeight + 1)
      if (own.scrollTop + own.clientHeight < own.scrollHeight - END_PX) return
      setRead(true)
      noteRead(requestId)
    }
    waitForReading(requestId)
    // Its height is known when it is laid out, and changes with the window.
    const observer = new ResizeObserver(look)
    observer.observe(own)
    own.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      own.removeEventListener('scroll', look)
    }
  }, [requestId])

  function showEnd(): void {
    const element = box.current
    if (element === null) return
    element.scrollTop = element.scrollHeight
    element.focus({ preventScroll: true })
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <pre ref={box} className="terminal read-whole" dir="ltr" tabIndex={0} aria-describedby={id}>
        {shown}
      </pre>
      {isLong && (
        <p id={id} className="meta read-whole-length">
          {say('tools.length-of-text', { lines: shown.split('\n').length, characters: Array.from(text).length })}{' '}
          {!isRead && (
            <>
              {say('tools.read-to-the-end')}{' '}
              <button type="button" className="link-button" onClick={showEnd}>
                {say('tools.show-the-end')}
              </button>
            </>
          )}
        </p>
      )}
    </>
  )
}

/** The last line counts as in sight when no more than this of it is cut, in CSS pixels. */
const END_PX = 12
