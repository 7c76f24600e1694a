import type { ConversationStore } from '@holdfast/client'
import type { OpenRun, RunState, TranscriptItem, TranscriptUsage } from '@holdfast/conversation'
import { memo, useId } from 'react'
import { SettledAnswer } from './answer/answer.tsx'
import { EndCaption } from './answer/end-caption.tsx'
import { RetryWait } from './answer/retry-wait.tsx'
import { DraftAnswer } from './draft-answer.tsx'
import { timeOfDay } from './format.ts'
import { figuresOf, LedgerLine, LedgerMargin } from './ledger-margin.tsx'
import { type TurnPart, turnState, wordsOf } from './thread-parts.ts'
import { PermissionRequests } from './tools/permission-requests.tsx'

/** What a turn is shown from. */
interface TurnProps {
  readonly turn: TurnPart
  readonly store: ConversationStore
  /** The turn's run while it has not ended. */
  readonly open: OpenRun | null
  readonly lastTurn: RunState['lastTurn']
  /** The last of the thread, from which one can go on. */
  readonly isNewest: boolean
  readonly isDemo: boolean
}

/** One turn. Its items keep their identity in the projection, so only one that changed renders again. */
export const Turn = memo(TurnView, (a, b) => {
  const sameItems =
    a.turn.items.length === b.turn.items.length && a.turn.items.every((item, index) => item === b.turn.items[index])
  const sameRun = a.open === b.open && a.lastTurn === b.lastTurn && a.isNewest === b.isNewest
  return sameItems && sameRun && a.isDemo === b.isDemo && a.store === b.store
})

function TurnView(props: TurnProps) {
  const { turn, open, lastTurn, isNewest } = props
  const user = turn.items.filter(({ role }) => role === 'user')
  const answers = turn.items.filter(({ role }) => role !== 'user')
  const startedAt = answers[0]?.at ?? open?.startedAt ?? null
  return (
    <section
      className="turn"
      data-testid="turn"
      data-state={turnState(turn, open, lastTurn)}
      data-newest={isNewest || undefined}
    >
      {user.map((item) => (
        <UserMessage key={item.seq} item={item} />
      ))}
      {startedAt !== null && <Answer {...props} answers={answers} startedAt={startedAt} />}
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

interface AnswerProps extends TurnProps {
  readonly answers: readonly TranscriptItem[]
  readonly startedAt: number
}

function Answer({ turn, store, open, lastTurn, isNewest, isDemo, answers, startedAt }: AnswerProps) {
  const id = useId()
  const figures = figuresOf(answers.flatMap(({ usage }): TranscriptUsage[] => (usage ? [usage] : [])))
  const isOver = isNewest && !open
  return (
    <article className="entry-row" data-testid="msg-assistant" aria-labelledby={id}>
      <LedgerMargin at={startedAt} figures={figures} isDemo={isDemo} />
      <div className="answer">
        <h3 id={id} className="visually-hidden">{`Reply, ${timeOfDay(startedAt)}`}</h3>
        <SettledAnswer store={store} items={answers} isRunOpen={open !== null} />
        {open && <OpenAnswer store={store} run={open} answers={answers} />}
        <EndCaption
          state={turnState(turn, open, lastTurn)}
          hasWords={answers.some(({ parts }) => wordsOf(parts) !== '')}
          hasFailure={answers.some(({ role }) => role === 'error')}
          figures={figures}
          reason={lastTurn?.reason ?? null}
          onContinue={isOver ? () => store.send([{ type: 'text', text: 'Continue.' }], 'turn') : null}
        />
        <LedgerLine at={startedAt} figures={figures} isDemo={isDemo} />
      </div>
    </article>
  )
}

/** What is under way of an answer: the words that stream, a question to the person, or the wait for another try. */
function OpenAnswer(props: {
  readonly store: ConversationStore
  readonly run: OpenRun
  readonly answers: readonly TranscriptItem[]
}) {
  const { store, run, answers } = props
  if (run.phase === 'waiting-to-retry' && run.retryAt !== null) {
    const failed = answers.findLast(({ role }) => role === 'error') ?? null
    return <RetryWait failed={failed} retryAt={run.retryAt} onStop={() => store.stop('stop')} />
  }
  return (
    <>
      {run.openRequestIds.length > 0 && <PermissionRequests store={store} runId={run.runId} />}
      <DraftAnswer store={store} run={run} hasCalls={run.openCalls.length > 0} />
    </>
  )
}
