import type { UnsentText } from '@holdfast/client'
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'

interface WrittenHere {
  readonly unsent: UnsentText
  readonly text: string
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** Writes into a field whose words may change from elsewhere: where they do, the caret of who writes stays where it was. [UI20] */
export function useWrittenHere({ unsent, text, field }: WrittenHere) {
  const written = useRef(text)
  const caret = useRef({ from: 0, to: 0 })
  useLayoutEffect(() => {
    if (written.current === text) return
    // What comes before the words moves them on; what changes them from outside puts the caret to their end.
    const shift = text.endsWith(written.current) ? text.length - written.current.length : 0
    written.current = text
    const { from, to } = caret.current
    if (document.activeElement === field.current) field.current?.setSelectionRange(from + shift, to + shift)
  }, [text, field])
  const write = useCallback(
    (words: string): void => {
      written.current = words
      unsent.write(words)
    },
    [unsent],
  )
  const keepCaret = useCallback(({ selectionStart, selectionEnd }: HTMLTextAreaElement): void => {
    caret.current = { from: selectionStart, to: selectionEnd }
  }, [])
  return { write, keepCaret }
}
