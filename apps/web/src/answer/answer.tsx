import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { TranscriptCall, TranscriptItem } from '@holdfast/conversation'
import { memo } from 'react'
import { Markdown } from '../markdown/markdown.tsx'
import { ThinkingLine } from '../thinking-line.tsx'
import { FoldedCalls, ToolCard } from '../tools/tool-card.tsx'
import { answerPieces, callRows } from './answer-pieces.ts'
import { FailureCard } from './failure-card.tsx'

/** What has been settled of an answer: words, thinking, calls and failures. */
export const SettledAnswer = memo(
  SettledAnswerView,
  (a, b) =>
    a.store === b.store &&
    a.isRunOpen === b.isRunOpen &&
    a.items.length === b.items.length &&
    a.items.every((item, index) => item === b.items[index]),
)

interface SettledAnswerProps {
  readonly store: ConversationStore
  readonly items: readonly TranscriptItem[]
  readonly isRunOpen: boolean
}

function SettledAnswerView({ store, items, isRunOpen }: SettledAnswerProps) {
  return answerPieces(items).map((piece) => {
    switch (piece.type) {
      case 'words':
        return <Markdown key={piece.key} text={piece.text} isComplete />
      case 'thinking':
        return <ThinkingLine key={piece.key} text={piece.text} tokens={piece.tokens} />
      case 'calls':
        return <Calls key={piece.key} store={store} calls={piece.calls} isRunOpen={isRunOpen} />
      case 'failure':
        return <FailureCard key={piece.key} item={piece.item} isLast={piece.item === items.at(-1)} />
      case 'erased':
        return (
          <p key={piece.key} className="words">
            Erased
          </p>
        )
    }
  })
}

interface CallsProps {
  readonly store: ConversationStore
  readonly calls: readonly TranscriptCall[]
  readonly isRunOpen: boolean
}

function Calls({ store, calls, isRunOpen }: CallsProps) {
  const progress = useConversation(store, (state) => state.progress)
  const newest = calls.findLast(({ state }) => state === 'running')
  return (
    <div className="tools">
      {callRows(calls, isRunOpen).map((row) =>
        row.length > 1 ? (
          <FoldedCalls key={row[0].callId} calls={row} />
        ) : (
          <ToolCard
            key={row[0].callId}
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
