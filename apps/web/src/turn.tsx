import type { ConversationStore } from '@holdfast/client'
import type { OpenRun, RunState, TranscriptItem, TranscriptUsage } from '@holdfast/conversation'
import { memo, useId } from 'react'
import { DraftAnswer } from './draft-answer.tsx'
import { timeOfDay, wholeCount } from './format.ts'
import { Glyph } from './icons.tsx'
import { figuresOf, LedgerLine, LedgerMargin, type TurnFigures } from './ledger-margin.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { ThinkingLine } from './thinking-line.tsx'
import { type TurnPart, type TurnState, turnState, wordsOf } from './thread-parts.ts'

/** What a turn is shown from. */
interface TurnProps {
  readonly turn: TurnPart
  readonly store: ConversationStore
  /** The turn's run while it has not ended. */
  readonly open: OpenRun | null
  readonly lastTurn: RunState['lastTurn']
  readonly isDemo: boolean
}

/** One turn. Its items keep their identity in the projection, so only one that changed renders again. */
export const Turn = memo(TurnView, (a, b) => {
  const sameItems =
    a.turn.items.length === b.turn.items.length && a.turn.items.every((item, index) => item === b.turn.items[index])
  return sameItems && a.open === b.open && a.lastTurn === b.lastTurn && a.isDemo === b.isDemo && a.store === b.store
})

function TurnView({ turn, store, open, lastTurn, isDemo }: TurnProps) {
  const state = turnState(turn, open, lastTurn)
  const user = turn.items.filter(({ role }) => role === 'user')
  const answers = turn.items.filter(({ role }) => role !== 'user')
  const startedAt = answers[0]?.at ?? open?.startedAt ?? null
  const reason = state === 'error' && lastTurn?.runId === turn.runId ? lastTurn.reason : null
  return (
    <section className="turn" data-testid="turn" data-state={state}>
      {user.map((item) => (
        <UserMessage key={item.seq} item={item} />
      ))}
      {startedAt !== null && (
        <Answer startedAt={startedAt} answers={answers} state={state} reason={reason} isDemo={isDemo}>
          {open && <DraftAnswer store={store} run={open} />}
        </Answer>
      )}
    </section>
  )
}

function UserMessage({ item }: { readonly item: TranscriptItem }) {
  const id = useId()
  return (
    <article className="entry-row" data-testid="msg-user" aria-labelledby={id}>
      <LedgerMargin at={item.at} figures={null} isDemo={false} />
      <div className="slip">
        <h3 id={id} className="visually-hidden">{`You, ${timeOfDay(item.at)}`}</h3>
        <div className="words" dir="auto">
          {item.state === 'erased' ? 'Erased' : wordsOf(item.parts)}
        </div>
      </div>
    </article>
  )
}

interface AnswerProps {
  readonly startedAt: number
  readonly answers: readonly TranscriptItem[]
  readonly state: TurnState
  readonly reason: string | null
  readonly isDemo: boolean
  readonly children: React.ReactNode
}

function Answer({ startedAt, answers, state, reason, isDemo, children }: AnswerProps) {
  const id = useId()
  const usages = answers.flatMap(({ usage }): TranscriptUsage[] => (usage ? [usage] : []))
  const figures = figuresOf(usages)
  return (
    <article className="entry-row" data-testid="msg-assistant" aria-labelledby={id}>
      <LedgerMargin at={startedAt} figures={figures} isDemo={isDemo} />
      <div>
        <h3 id={id} className="visually-hidden">{`Reply, ${timeOfDay(startedAt)}`}</h3>
        {answers.map((item) =>
          item.role === 'error' ? <Failure key={item.seq} item={item} /> : <AnswerWords key={item.seq} item={item} />,
        )}
        {children}
        <EndCaption state={state} answers={answers} figures={figures} reason={reason} />
        <LedgerLine at={startedAt} figures={figures} isDemo={isDemo} />
      </div>
    </article>
  )
}

function AnswerWords({ item }: { readonly item: TranscriptItem }) {
  if (item.state === 'erased') return <p className="words">Erased</p>
  return item.parts.map((part, index) => {
    if (part.type === 'thinking') {
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an entry never change
      return <ThinkingLine key={index} text={part.text} tokens={item.usage?.thinkingTokens ?? null} />
    }
    if (part.type !== 'text') return null
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an entry never change
    return <Markdown key={index} text={part.text} isComplete />
  })
}

function Failure({ item }: { readonly item: TranscriptItem }) {
  return (
    <div className="failure">
      <header className="failure-head">
        <Glyph name="failed" lively={false} />
        <strong className="failure-title">{failureTitle(item.detail['code'])}</strong>
      </header>
      <p className="failure-words">{wordsOf(item.parts)}</p>
    </div>
  )
}

/** Why a turn has ended other than by itself. What it had said by then stays above. */
function EndCaption(props: {
  readonly state: TurnState
  readonly answers: readonly TranscriptItem[]
  readonly figures: TurnFigures | null
  readonly reason: string | null
}) {
  const { state, answers, figures, reason } = props
  const hasWords = answers.some(({ parts }) => wordsOf(parts) !== '')
  if (state === 'stopped') {
    return (
      <p className="caption stopped">
        <Glyph name="stopped" lively={false} />
        <strong className="caption-name">{hasWords ? 'Stopped by you' : 'Stopped before any reply.'}</strong>
        {hasWords && figures && figures.outputTokens > 0 && <span className="meta">{keptText(figures)}</span>}
      </p>
    )
  }
  if (state === 'interrupted') {
    return (
      <p className="caption interrupted">
        <Glyph name="interrupted" lively={false} />
        <strong className="caption-name">Interrupted</strong>
        <span className="meta">
          {hasWords
            ? 'The server ended in the middle of this reply. The text so far is kept.'
            : 'The server ended before any reply.'}
        </span>
      </p>
    )
  }
  if (state === 'error' && !answers.some(({ role }) => role === 'error')) {
    return (
      <div className="failure">
        <header className="failure-head">
          <Glyph name="failed" lively={false} />
          <strong className="failure-title">{hasWords ? 'The reply broke off' : 'No reply'}</strong>
        </header>
        <p className="failure-words">{reason ?? 'The stream ended before its end. The text so far is kept.'}</p>
      </div>
    )
  }
  return null
}

function keptText({ outputTokens, measured }: TurnFigures): string {
  return `${measured ? '' : '≈ '}${wholeCount(outputTokens)} tokens kept`
}

function failureTitle(code: unknown): string {
  switch (code) {
    case 'auth':
      return 'The provider did not accept the key'
    case 'rate-limit':
      return 'Rate limited'
    case 'quota':
      return 'No credit left'
    case 'too-long':
      return 'The request is too long for this model'
    case 'network':
      return 'Lost contact with the provider'
    case 'overloaded':
      return 'The provider is overloaded'
    case 'model-missing':
      return 'There is no such model'
    case 'refused':
      return 'The provider refused'
    case 'bad-request':
      return 'The provider did not understand the request'
    default:
      return 'The request failed'
  }
}
