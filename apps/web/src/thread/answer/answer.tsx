import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import {
  type Draft,
  EXTERNAL_AGENT,
  type OpenRun,
  type TranscriptCall,
  type TranscriptItem,
} from '@holdfast/conversation'
import { memo, Suspense } from 'react'
import { later } from '../../shared/later.tsx'
import { Markdown } from '../../shared/markdown/markdown.tsx'
import { type CardPlace, FoldedCalls, ToolCard } from '../../tools/tool-card.tsx'
import { SummarisingLine } from '../checkpoint/summarising-card.tsx'
import { ErasedReceipt } from '../message/erased-receipt.tsx'
import type { ThreadActs } from '../message/thread-acts.ts'
import { type AnswerPiece, answerPieces, callRows } from './answer-pieces.ts'
import { FailureCard } from './failure-card.tsx'
import { PreparingNow, ThinkingOf } from './open-step.tsx'
import { SilenceLine } from './silence-line.tsx'
import { SettledThinking } from './thinking-line.tsx'

const NextSteps = later(async () => (await import('./next-steps.tsx')).NextSteps)
const WindowFigures = later(async () => (await import('./next-steps.tsx')).WindowFigures)
const ExternalFailure = later(async () => (await import('./external-failure.tsx')).ExternalFailure)

/** What there is of an answer, oldest first: words, thinking, calls and failures that have settled, and the step that streams. */
export const AnswerBody = memo(
  AnswerBodyView,
  (a, b) =>
    a.store === b.store &&
    a.context === b.context &&
    a.acts === b.acts &&
    a.run === b.run &&
    a.isNewest === b.isNewest &&
    a.keptSeq === b.keptSeq &&
    a.items.length === b.items.length &&
    a.items.every((item, index) => item === b.items[index]),
)

interface AnswerBodyProps {
  readonly store: ConversationStore
  readonly context: ConversationContext
  readonly items: readonly TranscriptItem[]
  /** The answer's run while it has not ended. */
  readonly run: OpenRun | null
  readonly acts: ThreadActs
  /** Whether the conversation goes on from here. */
  readonly isNewest: boolean
  /** Where the turn before ends; null where that is not known. */
  readonly keptSeq: number | null
}

function AnswerBodyView(props: AnswerBodyProps) {
  const { store, items, run } = props
  const isWaiting = run === null || run.phase === 'waiting-to-retry'
  const isSummarising = run?.openStep?.purpose === 'checkpoint'
  const shape = useConversation(store, ({ draft }) => (isWaiting || isSummarising ? '' : draftShape(draft)))
  const open = shape === '' ? [] : draftPieces(shape)
  const settled = answerPieces(items)
  const isAsked = !isWaiting && run.openCalls.length === 0 && !isSummarising
  return (
    <>
      {[
        ...settled.map((piece) => settledView(piece, props)),
        ...open.map((piece) => openView(piece, { store, run, isLast: piece === open.at(-1) })),
      ]}
      {isSummarising && <SummarisingLine startedAt={run.startedAt} onCancel={null} />}
      {isAsked && <SilenceLine store={store} models={props.acts.models} run={run} isEmpty={open.every(isNothing)} />}
    </>
  )
}

function isNothing({ type, isEmpty }: DraftPiece): boolean {
  return type !== 'tool-call' && isEmpty
}

function settledView(piece: AnswerPiece, { store, context, items, run, acts, isNewest, keptSeq }: AnswerBodyProps) {
  switch (piece.type) {
    case 'words':
      return <Words key={piece.key} store={store} settled={piece.text} blockIndex={0} />
    case 'thinking':
      return <SettledThinking key={piece.key} context={context} piece={piece} />
    case 'calls':
      return (
        <Calls
          key={piece.key}
          store={store}
          context={context}
          conversations={acts.conversations}
          calls={piece.calls}
          isRunOpen={run !== null}
        />
      )
    case 'failure': {
      const program = programOf(store)
      const isLast = piece.item === items.at(-1)
      if (program !== null && isLast)
        return (
          <Suspense key={piece.key} fallback={null}>
            <ExternalFailure item={piece.item} name={program} isOpen={isNewest && run === null} />
          </Suspense>
        )
      return (
        <FailureCard
          key={piece.key}
          item={piece.item}
          isLast={isLast}
          nextSteps={
            isNewest && run === null ? (
              <Suspense fallback={null}>
                {piece.item.code === 'too-long' && <WindowFigures context={context} />}
                <NextSteps store={store} context={context} acts={acts} code={piece.item.code} keptSeq={keptSeq} />
              </Suspense>
            ) : null
          }
        />
      )
    }
    case 'erased':
      return (
        <p key={piece.key} className="words">
          <ErasedReceipt item={piece.item} />
        </p>
      )
  }
}

/** The name of the program that answers a conversation; null where a model of the installation does. */
function programOf(store: ConversationStore): string | null {
  const { agent } = store.getSnapshot().overview.settingLayers
  return agent?.agentId.startsWith(EXTERNAL_AGENT) ? agent.name : null
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
      return (
        <ThinkingOf key={key} store={store} blockIndex={blockIndex} startedAt={isLast && run ? run.startedAt : null} />
      )
    case 'tool-call':
      return <PreparingNow key={key} store={store} blockIndex={blockIndex} />
  }
}

interface CallsProps extends CardPlace {
  readonly calls: readonly TranscriptCall[]
  readonly isRunOpen: boolean
}

function Calls({ calls, isRunOpen, ...place }: CallsProps) {
  const { store } = place
  const progress = useConversation(store, (state) => state.progress)
  const newest = calls.findLast(({ state }) => state === 'running')
  return (
    <div className="tools">
      {callRows(calls, isRunOpen).map((row) =>
        row.length > 1 ? (
          <FoldedCalls key={row[0].callId} {...place} calls={row} />
        ) : (
          <ToolCard
            key={row[0].callId}
            {...place}
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

/** One block of the open step: what it is, without its words. */
interface DraftPiece {
  readonly type: 'text' | 'thinking' | 'tool-call'
  /** The name of the settled piece that it becomes. */
  readonly key: string
  /** Its place in the draft. */
  readonly blockIndex: number
  readonly isEmpty: boolean
}

/** What an open step is made of, as a text: it stays equal while only words come. Empty for none. */
function draftShape(draft: Draft | null): string {
  if (draft === null || draft.blocks.length === 0) return ''
  const blocks = draft.blocks.map(({ start, text }) => `${start.type}${text === '' ? '-empty' : ''}`)
  return [draft.stepId, ...blocks].join(' ')
}

/** The pieces of a shape. */
function draftPieces(shape: string): readonly DraftPiece[] {
  const [stepId = '', ...blocks] = shape.split(' ')
  const pieces: DraftPiece[] = []
  let partIndex = 0
  blocks.forEach((block, blockIndex) => {
    const isEmpty = block.endsWith('-empty')
    if (block.startsWith('tool-call')) {
      pieces.push({ type: 'tool-call', key: `${stepId}-call-${blockIndex}`, blockIndex, isEmpty })
      return
    }
    pieces.push({
      type: block.startsWith('text') ? 'text' : 'thinking',
      key: `${stepId}-${partIndex}`,
      blockIndex,
      isEmpty,
    })
    partIndex += 1
  })
  return pieces
}

interface WordsProps {
  readonly store: ConversationStore
  /** Null while they are being written: then they are read from this block of the open step. */
  readonly settled: string | null
  readonly blockIndex: number
}

/** Nothing that could change. */
const SETTLED = { getSnapshot: () => null, subscribe: () => () => {} }

/**
 * Words of an answer. They follow the stream by themselves, and stay the same component when they have settled, so that nothing
 * of them is parsed or drawn again at the end.
 */
function Words({ store, settled, blockIndex }: WordsProps) {
  const block = useObservable<unknown, ReturnType<typeof blockOf>>(settled === null ? store : SETTLED, () =>
    settled === null ? blockOf(store, blockIndex) : null,
  )
  return <Markdown text={settled ?? block?.text ?? ''} isComplete={settled !== null || block?.complete === true} />
}

function blockOf(store: ConversationStore, index: number) {
  return store.getSnapshot().draft?.blocks[index] ?? null
}
