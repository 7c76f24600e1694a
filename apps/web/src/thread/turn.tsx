import type { AttachmentApi, ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { OpenRun, TranscriptItem, TranscriptUsage } from '@holdfast/conversation'
import { memo, Suspense, useId, useState } from 'react'
import { answeringAgent } from '../agents/answering-agent.ts'
import { CanvasReferences } from '../canvas/canvas-references.tsx'
import { SentFiles } from '../composer/attach/sent-files.tsx'
import { SentAlong } from '../composer/mentions/sent-along.tsx'
import { timeOfDay } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { AnswerBody } from './answer/answer.tsx'
import { EndCaption } from './answer/end-caption.tsx'
import { RetryWait } from './answer/retry-wait.tsx'
import { ChangedFiles } from './files/changed-files.tsx'
import { figuresOf, LedgerLine, LedgerMargin } from './ledger-margin.tsx'
import { ErasedReceipt } from './message/erased-receipt.tsx'
import { ReplyActions } from './message/reply-actions.tsx'
import { SlipActions } from './message/slip-actions.tsx'
import type { ThreadActs } from './message/thread-acts.ts'
import { type TurnPart, turnState, wordsOf } from './thread-parts.ts'

const PermissionRequests = later(async () => (await import('../tools/permission-card.tsx')).PermissionRequests)
const QuestionRequests = later(async () => (await import('../tools/question-card.tsx')).QuestionRequests)
const EditInPlace = later(async () => (await import('./message/edit-in-place.tsx')).EditInPlace)

/** What a turn is shown from. */
interface TurnProps {
  readonly turn: TurnPart
  readonly store: ConversationStore
  readonly context: ConversationContext
  readonly acts: ThreadActs
  readonly attachments: AttachmentApi
  /** The turn's run while it has not ended. */
  readonly open: OpenRun | null
  /** Whether the path stands still: while a run is open nothing of it can be set aside. */
  readonly isBusy: boolean
  /** The last of the thread, from which one can go on. */
  readonly isNewest: boolean
}

/** One turn. Its items keep their identity in the projection, so only one that changed renders again. */
export const Turn = memo(TurnView, (a, b) => {
  const { turn: one } = a
  const { turn: other } = b
  const sameItems =
    one.items.length === other.items.length && one.items.every((item, index) => item === other.items[index])
  const samePlace =
    one.end === other.end &&
    one.keptSeq === other.keptSeq &&
    one.isUnsent === other.isUnsent &&
    one.branch?.index === other.branch?.index &&
    one.branch?.lastRunIds.join() === other.branch?.lastRunIds.join()
  const sameRun = a.open === b.open && a.isBusy === b.isBusy && a.isNewest === b.isNewest
  return sameItems && samePlace && sameRun && a.store === b.store && a.acts === b.acts
})

function TurnView(props: TurnProps) {
  const { turn, open, isNewest } = props
  const user = turn.items.filter(({ role }) => role === 'user')
  const answers = turn.items.filter(({ role }) => role !== 'user')
  // A turn may end before anything is answered: why, it says all the same.
  const endedAt = turn.end && turn.end.outcome !== 'completed' ? (user.at(-1)?.at ?? null) : null
  const startedAt = answers[0]?.at ?? open?.startedAt ?? endedAt
  return (
    <section
      className="turn"
      data-testid="turn"
      data-state={turnState(turn, open)}
      data-newest={isNewest || undefined}
      data-unsent={turn.isUnsent || undefined}
    >
      {user.map((item, index) => (
        <UserMessage key={item.seq} {...props} item={item} isFirst={index === 0} />
      ))}
      {startedAt !== null && <Answer {...props} answers={answers} startedAt={startedAt} />}
    </section>
  )
}

interface UserMessageProps extends TurnProps {
  readonly item: TranscriptItem
  /** The one that began the turn; others joined it on the way. */
  readonly isFirst: boolean
}

function UserMessage({ item, isFirst, turn, acts, attachments, isBusy, store, context }: UserMessageProps) {
  const id = useId()
  const [isEditing, setEditing] = useState(false)
  const { keptSeq } = turn
  const words = (
    <div className="words" dir="auto">
      {item.state === 'erased' ? <ErasedReceipt item={item} /> : wordsOf(item.parts)}
      <CanvasReferences parts={item.parts} />
      <SentFiles api={attachments} parts={item.parts} />
      <SentAlong parts={item.parts} />
    </div>
  )
  return (
    <article className="entry-row" data-testid="msg-user" data-seq={item.seq} aria-labelledby={id} tabIndex={-1}>
      <LedgerMargin at={item.at} figures={null} agent={null} />
      <div className="slip">
        <h2 id={id} className="visually-hidden">
          {say('message.you-at', { time: timeOfDay(item.at) })}
          {turn.isUnsent && [', ', say('message.kept-here-not-sent')]}
        </h2>
        {isEditing && keptSeq !== null ? (
          <Suspense fallback={words}>
            <EditInPlace
              item={item}
              keptSeq={keptSeq}
              store={store}
              context={context}
              acts={acts}
              isBusy={isBusy}
              onClose={() => setEditing(false)}
            />
          </Suspense>
        ) : (
          words
        )}
        {isFirst && !isEditing && (
          <SlipActions
            turn={turn}
            item={item}
            acts={acts}
            isBusy={isBusy}
            store={store}
            onEdit={() => setEditing(true)}
          />
        )}
      </div>
    </article>
  )
}

interface AnswerProps extends TurnProps {
  readonly answers: readonly TranscriptItem[]
  readonly startedAt: number
}

function Answer({ turn, store, context, acts, open, isBusy, isNewest, answers, startedAt }: AnswerProps) {
  const id = useId()
  const figures = figuresOf(answers.flatMap(({ usage }): TranscriptUsage[] => (usage ? [usage] : [])))
  const isOver = isNewest && !open
  const { keptSeq } = turn
  const tryAgain = () => keptSeq !== null && acts.whenFree(() => acts.retry(keptSeq, 'retry-after-error'))
  const agent = answeringAgent(answers)
  return (
    <article
      className="entry-row"
      data-testid="msg-assistant"
      data-seq={answers[0]?.seq}
      aria-labelledby={id}
      tabIndex={-1}
    >
      <LedgerMargin at={startedAt} figures={figures} agent={agent} />
      <div className="answer">
        <h2 id={id} className="visually-hidden">
          {[agent?.name ?? say('message.reply'), timeOfDay(startedAt)].join(', ')}
          {turn.isUnsent && [', ', say('message.kept-here-not-sent')]}
        </h2>
        <AnswerBody
          store={store}
          context={context}
          items={answers}
          run={open}
          acts={acts}
          isNewest={isNewest}
          keptSeq={turn.keptSeq}
        />
        <ChangedFiles
          runId={turn.runId}
          messageSeq={turn.items.find(({ role }) => role === 'user')?.seq ?? null}
          answers={answers}
          acts={acts}
          isBusy={isBusy}
        />
        {open && <OpenAnswer store={store} files={acts.files} run={open} answers={answers} />}
        <EndCaption
          state={turnState(turn, open)}
          hasWords={answers.some((item) => saidWords(item) !== '')}
          hasFailure={answers.some(({ role }) => role === 'error')}
          figures={figures}
          reason={turn.end?.reason ?? null}
          onRaiseBudget={isOver && turn.end?.limit === 'budget' ? () => raiseBudget(store) : null}
          onContinue={isOver ? () => store.send([{ type: 'text', text: 'Continue.' }], 'turn') : null}
          onTryAgain={isOver && keptSeq !== null ? tryAgain : null}
        />
        <LedgerLine at={startedAt} figures={figures} agent={agent} />
        {!open && (
          <ReplyActions
            turn={turn}
            words={answers.flatMap((item) => saidWords(item) || []).join('\n\n')}
            acts={acts}
            isBusy={isBusy}
            isNewest={isNewest}
            hasFailed={turnState(turn, open) === 'error'}
          />
        )}
      </div>
    </article>
  )
}

/** What the model said: the words of a failure are not its own. */
function saidWords({ role, parts }: TranscriptItem): string {
  return role === 'error' ? '' : wordsOf(parts)
}

/** So much more a budget allows at one press, in US dollars. */
const RAISE_USD = 1

/** Raises the budget from what is spent, and goes on by a message that the thread shows. [COST7] */
function raiseBudget(store: ConversationStore): void {
  const { settings, ledger } = store.getSnapshot().overview
  const budgetUsd = Math.max(settings.budgetUsd ?? 0, ledger.own.costUsd) + RAISE_USD
  store.changeSettings({ budgetUsd })
  store.send([{ type: 'text', text: 'Continue.' }], 'turn')
}

/** What an open answer waits for: a person's permission or answer, or the time for another try. */
function OpenAnswer(props: {
  readonly store: ConversationStore
  readonly files: ThreadActs['files']
  readonly run: OpenRun
  readonly answers: readonly TranscriptItem[]
}) {
  const { store, files, run, answers } = props
  const isAsked = useConversation(store, ({ overview }) => overview.pendingQuestions.length > 0)
  if (run.phase === 'waiting-to-retry' && run.retryAt !== null) {
    const failed = answers.findLast((item) => item.role === 'error' && item.state !== 'erased') ?? null
    return <RetryWait failed={failed} retryAt={run.retryAt} onStop={() => store.stop('stop')} />
  }
  return (
    <>
      <Suspense fallback={null}>
        {run.openRequestIds.length > 0 && <PermissionRequests store={store} files={files} runId={run.runId} />}
      </Suspense>
      <Suspense fallback={null}>{isAsked && <QuestionRequests store={store} runId={run.runId} />}</Suspense>
    </>
  )
}
