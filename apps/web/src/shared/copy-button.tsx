import { useEffect, useState } from 'react'
import { Icon } from './icons.tsx'
import { say } from './language/say.ts'

/** How long the button says that it has copied, in milliseconds. */
const SAID_MS = 1_500

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label }: { readonly text: () => string; readonly label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SAID_MS)
    return () => clearTimeout(timer)
  }, [state])

  function copy(): void {
    navigator.clipboard.writeText(text()).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  }

  return (
    <button type="button" className="copy-button" aria-label={label} onClick={copy}>
      <Icon name="copy" />
      <span aria-live="polite">{say(COPY_WORDS[state])}</span>
    </button>
  )
}

const COPY_WORDS = { idle: 'common.copy', copied: 'common.copied', refused: 'header.not-allowed' } as const
