import { useEffect, useState } from 'react'
import { Icon } from './icons.tsx'
import { say } from './language/say.ts'

/** How long the button says that it has copied, in milliseconds. */
const SAID_MS = 1_500

interface CopyButtonProps {
  readonly text: () => string
  /** The text as HTML, for programs that take its form; absent where the text is all that there is. */
  readonly html?: (button: HTMLElement) => string
  readonly label: string
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, html, label }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SAID_MS)
    return () => clearTimeout(timer)
  }, [state])

  function copy(button: HTMLElement): void {
    const marked = html?.(button)
    write(text(), marked).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  }

  return (
    <button
      type="button"
      className="copy-button"
      aria-label={label}
      onClick={({ currentTarget }) => copy(currentTarget)}
    >
      <Icon name="copy" />
      <span aria-live="polite">{say(COPY_WORDS[state])}</span>
    </button>
  )
}

function write(text: string, html: string | undefined): Promise<void> {
  if (html === undefined) return navigator.clipboard.writeText(text)
  const blob = (type: string, content: string) => new Blob([content], { type })
  const item = new ClipboardItem({ 'text/plain': blob('text/plain', text), 'text/html': blob('text/html', html) })
  return navigator.clipboard.write([item])
}

const COPY_WORDS = { idle: 'common.copy', copied: 'common.copied', refused: 'header.not-allowed' } as const
