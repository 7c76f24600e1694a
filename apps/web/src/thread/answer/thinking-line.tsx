import type { ConversationContext } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { useId, useState } from 'react'
import { Glyph, Icon } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import type { AnswerPiece } from './answer-pieces.ts'
import { thoughtWords } from './thought-words.ts'

interface SettledProps {
  readonly context: ConversationContext
  readonly piece: Extract<AnswerPiece, { type: 'thinking' }>
}

/** Thinking of a settled answer: it says whether the next request leaves it out. [REQ4] */
export function SettledThinking({ context, piece: { text, tokens, thoughtMs, seq } }: SettledProps) {
  const isLeftOut = useObservable(context.use, ({ value }) => value?.thinkingLeftOutSeqs.includes(seq) ?? false)
  return <ThinkingLine text={text} tokens={tokens} thoughtMs={thoughtMs} isLeftOut={isLeftOut} />
}

interface ThinkingProps {
  readonly text: string
  readonly tokens: number | null
  /** Null as long as it is not known. */
  readonly thoughtMs: number | null
  readonly isLeftOut: boolean
}

/** Thinking that has ended: one line, opened by whoever wants to read it. */
export function ThinkingLine({ text, tokens, thoughtMs, isLeftOut }: ThinkingProps) {
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
        <span>{thoughtWords(tokens, thoughtMs)}</span>
        {isLeftOut && (
          <span className="meta" title={say('message.the-next-request-leaves-it')}>
            {say('message.not-re-sent')}
          </span>
        )}
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
