import { useId, useState } from 'react'
import { Glyph, Icon } from './icons.tsx'
import { say } from './language/say.ts'

/** Thinking that has ended: one line, opened by whoever wants to read it. */
export function ThinkingLine({ text, tokens }: { readonly text: string; readonly tokens: number | null }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="thinking">
      <button
        type="button"
        className="thinking-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="right" />
        <span>{tokens ? say('message.thought-of', { count: tokens }) : say('message.thought')}</span>
      </button>
      <div id={id} hidden={!isOpen} className="thinking-text" dir="auto">
        {text}
      </div>
    </div>
  )
}

/** Thinking under way: one line with its latest sentence, never a growing block. */
export function ThinkingNow({ text, seconds }: { readonly text: string; readonly seconds: number }) {
  return (
    <div className="thinking thinking-head">
      <Glyph name="running" lively />
      <span className="now">{say('message.thinking-for', { seconds })}</span>
      <span className="latest" dir="auto">
        {latestSentence(text)}
      </span>
    </div>
  )
}

function latestSentence(text: string): string {
  const sentences = text.trimEnd().split(/(?<=[.!?。！？])\s+|\n+/u)
  return sentences.at(-1) ?? ''
}
