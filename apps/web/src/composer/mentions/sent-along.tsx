import type { TranscriptPart } from '@holdfast/conversation'
import type { MouseEvent } from 'react'
import { navigate, pathOf } from '../../shared/address.ts'
import { say } from '../../shared/language/say.ts'
import { safeAddress } from '../../shared/markdown/safe-address.ts'
import { alongWords } from './along-words.ts'

type SentPartView = Extract<TranscriptPart, { type: 'resource' | 'mention' | 'element' | 'error' | 'link' | 'quote' }>

/** What was sent with a message beside its files: what the model was sent of it can be read. [UI20] */
export function SentAlong({ parts }: { readonly parts: readonly TranscriptPart[] }) {
  const shown = parts.filter(isShownHere)
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message that was sent never change
  return shown.map((part, index) => <SentPart key={`${part.type} ${index}`} part={part} />)
}

function isShownHere(part: TranscriptPart): part is SentPartView {
  switch (part.type) {
    case 'resource':
    case 'mention':
    case 'element':
    case 'error':
    case 'link':
    case 'quote':
      return true
    case 'text':
    case 'thinking':
    case 'file':
    case 'image':
    case 'canvas':
      return false
  }
}

function SentPart({ part }: { readonly part: SentPartView }) {
  const { kind, name, title } = alongWords(part, [])
  const testId = part.type === 'resource' ? 'sent-resource' : 'sent-along'
  const words = say('mentions.of-server', { name, server: kind })
  const text = textOf(part)
  if (text === '')
    return (
      <p className="sent-resource" data-testid={testId} data-type={part.type} title={title} dir="auto">
        {words}
        <WayThere part={part} />
      </p>
    )
  return (
    <details className="sent-resource" data-testid={testId} data-type={part.type}>
      <summary dir="auto">{words}</summary>
      <p className="meta" dir="auto">
        {part.type === 'resource' && part.cut ? say('mentions.sent-in-part', { uri: part.uri }) : title}
        <WayThere part={part} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <pre className="printed" dir="auto" tabIndex={0}>
        {text}
      </pre>
    </details>
  )
}

/** What the model was sent of it; empty for what is named alone. */
function textOf(part: SentPartView): string {
  switch (part.type) {
    case 'resource':
    case 'error':
    case 'quote':
      return part.text
    case 'mention':
      return part.text ?? ''
    case 'element':
      return part.html
    case 'link':
      return ''
  }
}

/** Where it is, of what can be gone to. */
function WayThere({ part }: { readonly part: SentPartView }) {
  if (part.type === 'mention' && part.kind === 'conversation') {
    const route = { type: 'conversation', conversationId: part.id } as const
    function onClick(event: MouseEvent): void {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      navigate(route, 'push')
    }
    return (
      <a className="link-button sent-way" href={pathOf(route)} onClick={onClick}>
        {say('mentions.open')}
      </a>
    )
  }
  const address = part.type === 'link' ? safeAddress(part.url) : null
  if (address === null) return null
  return (
    <a className="link-button sent-way" href={address.href} target="_blank" rel="noreferrer noopener">
      {say('mentions.open')}
    </a>
  )
}
