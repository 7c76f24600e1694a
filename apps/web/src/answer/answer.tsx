import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { OpenRun, TranscriptCall, TranscriptItem } from '@holdfast/conversation'
import { memo } from 'react'
import { SummarisingLine } from '../checkpoint/summarising-card.tsx'
import { ErasedReceipt } from '../message/erased-receipt.tsx'
import { SettledThinking } from '../thinking-line.tsx'
import { FoldedCalls, ToolCard } from '../tools/tool-card.tsx'
import { type AnswerPiece, answerPieces, callRows } from './answer-pieces.ts'
import { type DraftPiece, draftPieces, draftShape } from './draft-shape.ts'
import { FailureCard } from './failure-card.tsx'
import { PreparingNow, SilentLine, ThinkingOf } from './open-step.tsx'
import { Words } from './words.tsx'

/** What there is of an answer, oldest first: words, thinking, calls and failures that have settled, and the step that streams. */
export const AnswerBody = memo(
  AnswerBodyView,
  (a, b) =>
    a.store === b.store &&
    a.context === b.context &&
    a.run === b.run &&
    a.items.length === b.items.length &&
    a.items.every((item, index) => item === b.items[index]),
)

interface AnswerBodyProps {
  readonly store: ConversationStore
  readonly context: ConversationContext
  readonly items: readonly TranscriptItem[]
  /** The answer's run while it has not ended. */
  readonly run: OpenRun | null
}

function AnswerBodyView({ store, context, items, run }: AnswerBodyProps) {
  const isWaiting = run === null || run.phase === 'waiting-to-retry'
  const isSummarising = run?.openStep?.purpose === 'checkpoint'
  const shape = useConversation(store, ({ draft }) => (isWaiting || isSummarising ? '' : draftShape(draft)))
  const open = shape === '' ? [] : draftPieces(shape)
  const settled = answerPieces(items)
  const isSilent = !isWaiting && run.openCalls.length === 0 && open.every(isNothing)
  return (
    <>
      {[
        ...settled.map((piece) => settledView(piece, { store, context, items, run })),
        ...open.map((piece) => openView(piece, { store, run, isLast: piece === open.at(-1) })),
      ]}
      {isSummarising && <SummarisingLine startedAt={run.startedAt} onCancel={null} />}
      {isSilent && !isSummarising && <SilentLine run={run} />}
    </>
  )
}

function isNothing({ type, isEmpty }: DraftPiece): boolean {
  return type !== 'tool-call' && isEmpty
}

function settledView(piece: AnswerPiece, { store, context, items, run }: AnswerBodyProps) {
  switch (piece.type) {
    case 'words':
      return <Words key={piece.key} store={store} settled={piece.text} blockIndex={0} />
    case 'thinking':
      return <SettledThinking key={piece.key} context={context} piece={piece} />
    case 'calls':
      return <Calls key={piece.key} {...{ store, context }} calls={piece.calls} isRunOpen={run !== null} />
    case 'failure':
      return <FailureCard key={piece.key} item={piece.item} isLast={piece.item === items.at(-1)} />
    case 'erased':
      return (
        <p key={piece.key} className="words">
          <ErasedReceipt item={piece.item} />
        </p>
      )
  }
}

interface OpenViewProps {
  readonly store: ConversationStore
  readonly run: OpenRun | null
  readonly isLast: boolean
}

function openView({ type, key, blockIndex }: DraftPiece, { store, run, isLast }: OpenViewProps) {
  switch (type) {
    case 'text':
      return <Words key={key} store={store} settled={null} blockIndex={blockIndex} />
    case 'thinking':
      return <ThinkingOf key={key} {...{ store, blockIndex }} startedAt={isLast && run ? run.startedAt : null} />
    case 'tool-call':
      return <PreparingNow key={key} store={store} blockIndex={blockIndex} />
  }
}

interface CallsProps {
  readonly store: ConversationStore
  readonly context: ConversationContext
  readonly calls: readonly TranscriptCall[]
  readonly isRunOpen: boolean
}

function Calls({ store, context, calls, isRunOpen }: CallsProps) {
  const progress = useConversation(store, (state) => state.progress)
  const newest = calls.findLast(({ state }) => state === 'running')
  return (
    <div className="tools">
      {callRows(calls, isRunOpen).map((row) =>
        row.length > 1 ? (
          <FoldedCalls key={row[0].callId} {...{ store, context }} calls={row} />
        ) : (
          <ToolCard
            key={row[0].callId}
            {...{ store, context }}
            call={row[0]}
            isRunOpen={isRunOpen}
            isNewest={row[0] === newest}
            progress={progress[row[0].callId] ?? null}
          />
        ),
      )}
    </div>
  )
}
