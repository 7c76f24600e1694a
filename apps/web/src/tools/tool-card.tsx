import type { Client, ConversationContext, ConversationStore } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { TranscriptCall } from '@holdfast/conversation'
import { memo, Suspense, useId, useMemo, useState } from 'react'
import { navigate, pathOf } from '../shared/address.ts'
import { durationText } from '../shared/format.ts'
import { Glyph, type GlyphName, Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { useTick } from '../shared/use-seconds.ts'
import { inputValue, objectOf, shortName, stateWords } from './call-words.ts'
import { type CardState, cardState, opensByItself } from './card-state.ts'
import { ExcludedMark, ExcludeResult } from './exclude-result.tsx'
import { type ChangeCounts, changeCount, diffOfInput } from './lines/diff-of.ts'
import { PermissionReceipt } from './permission-receipt.tsx'
import { QuestionReceipt } from './question-receipt.tsx'

/** Where cards stand, with what they are shown by. */
export interface CardPlace {
  readonly store: ConversationStore
  readonly context: ConversationContext
  /** How the conversations of sub-agents stand. */
  readonly conversations: Client['conversations']
}

interface ToolCardProps extends CardPlace {
  readonly call: TranscriptCall
  readonly isRunOpen: boolean
  /** The newest of what runs: the one whose sign moves. */
  readonly isNewest: boolean
  /** What it has said last of how far it is. */
  readonly progress: string | null
}

/** One tool call: a line that says how it stands, and below it, on demand, what went in and what came out. */
export const ToolCard = memo(function ToolCard(props: ToolCardProps) {
  const { store, context, conversations, call, isRunOpen, isNewest, progress } = props
  const { resultSeq } = call
  const state = cardState(call, isRunOpen)
  const [choice, setChoice] = useState<boolean | null>(null)
  const isOpen = choice ?? opensByItself(state)
  const id = useId()
  const { inputText } = call
  const { object, count } = useMemo(() => lineOf(inputText), [inputText])
  return (
    <div className="tool" data-testid="tool-card" data-state={state}>
      <button
        type="button"
        className="tool-head"
        aria-expanded={isOpen}
        aria-controls={id}
        title={call.name}
        onClick={() => setChoice(!isOpen)}
      >
        <Glyph name={GLYPHS[state]} lively={state === 'running' && isNewest} />
        <span className="tool-name">{shortName(call.name)}</span>
        <span className="tool-object" dir="auto">
          {object}
        </span>
        {state === 'running' && progress !== null && <span className="tool-progress">{progress}</span>}
        {count && <ChangeCount {...count} />}
        {resultSeq !== null && <ExcludedMark store={store} resultSeq={resultSeq} />}
        <StateWords state={state} call={call} />
        <Icon name="right" />
      </button>
      <div id={id} className="tool-body" hidden={!isOpen}>
        {isOpen && (
          <Suspense>
            <ToolBody call={call} state={state} isBrief={choice === null} />
          </Suspense>
        )}
        {isOpen && resultSeq !== null && <ExcludeResult store={store} context={context} resultSeq={resultSeq} />}
      </div>
      <SubAgentLink conversations={conversations} call={call} isAlone={false} />
      <PageLinks store={store} calls={[call]} />
      <PermissionReceipt store={store} call={call} isAlone={false} />
      {call.questions?.map((question) => (
        <QuestionReceipt key={question.questionId} question={question} />
      ))}
      {call.late && <LateResult call={call} />}
    </div>
  )
})

/** What its input says in one line. */
function lineOf(inputText: string): { readonly object: string | null; readonly count: ChangeCounts | null } {
  const input = inputValue({ inputText })
  const diff = diffOfInput(input)
  return { object: objectOf(input), count: diff && changeCount(diff) }
}

const ToolBody = later(async () => (await import('./tool-body.tsx')).ToolBody)
const LateOutput = later(async () => (await import('./tool-body.tsx')).LateOutput)

const PageLink = later(async () => (await import('../canvas/page-link.tsx')).PageLink)

/** The ways to the pages that calls wrote. */
function PageLinks(props: { readonly store: ConversationStore; readonly calls: readonly TranscriptCall[] }) {
  const { store, calls } = props
  return calls.map(
    (call) =>
      PAGE_TOOLS.has(call.name) &&
      call.outcome === 'ok' && (
        <Suspense key={call.callId}>
          <PageLink store={store} call={call} />
        </Suspense>
      ),
  )
}

const PAGE_TOOLS: ReadonlySet<string> = new Set(['canvas_show_page', 'canvas_update_element'])

interface SubAgentLinkProps extends Pick<CardPlace, 'conversations'> {
  readonly call: TranscriptCall
  /** Whether it stands without the line that says what the task is about. */
  readonly isAlone: boolean
}

/** The sub-agent works in a conversation of its own, which may wait for a person. [AGENT3, AGENT70] */
function SubAgentLink({ conversations, call, isAlone }: SubAgentLinkProps) {
  const conversationId = call.childConversationId
  const state = useObservable(conversations, ({ rows }) => rows.find(({ id }) => id === conversationId)?.state)
  if (conversationId === null) return null
  const isAsking = state === 'waiting-for-permission' || state === 'waiting-for-answer'
  const words = say(isAsking ? 'tools.sub-agent-waits' : 'tools.sub-agent-open-its-conversation')
  return (
    <a
      className="sub-agent"
      data-testid="sub-agent"
      data-state={isAsking ? 'waiting' : undefined}
      href={pathOf({ type: 'conversation', conversationId })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate({ type: 'conversation', conversationId }, 'push')
      }}
    >
      {isAsking ? <Glyph name="waiting" lively={false} /> : <Icon name="enter" />}
      {isAlone && <bdi>{objectOf(inputValue(call))}</bdi>}
      {words}
    </a>
  )
}

/** How the call stands; while it runs, for how long. */
function StateWords({ state, call }: { readonly state: CardState; readonly call: TranscriptCall }) {
  const now = useTick(state === 'running')
  const runningMs = call.startedAt === null ? 0 : Math.max(0, now - call.startedAt)
  return <span className="tool-state">{stateWords(state, call, runningMs)}</span>
}

/** How many lines an edit adds and takes away. */
export function ChangeCount({ added, removed, isAtMost }: ChangeCounts) {
  return (
    <span className="change-count">
      {isAtMost && '≤ '}
      <span className="added">{`+${added}`}</span> <span className="removed">{`−${removed}`}</span>
    </span>
  )
}

/** What came after the call had settled is there to be read; the model was not sent it. [TOOL4] */
function LateResult({ call }: { readonly call: TranscriptCall }) {
  return (
    <details className="late">
      <summary>{say('tools.late-result-not-used')}</summary>
      <Suspense>
        <LateOutput call={call} />
      </Suspense>
    </details>
  )
}

/** Several calls that went well, in one line. */
export function FoldedCalls(props: CardPlace & { readonly calls: readonly TranscriptCall[] }) {
  const { calls, ...place } = props
  const { store, conversations } = place
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const names = calls.map(({ name }) => shortName(name))
  const totalMs = calls.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  return (
    <div className="tool folded">
      <button
        type="button"
        className="tool-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Glyph name="ok" lively={false} />
        <strong>{say('tools.count', { count: calls.length })}</strong>
        <span className="tool-object plain">{[...new Set(names)].join(', ')}</span>
        <span className="tool-state">{durationText(totalMs)}</span>
        <Icon name="right" />
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen &&
          calls.map((call) => (
            <ToolCard key={call.callId} {...place} call={call} isRunOpen={false} isNewest={false} progress={null} />
          ))}
      </div>
      {!isOpen && <PageLinks store={store} calls={calls} />}
      {!isOpen &&
        calls.map((call) => (
          <SubAgentLink key={call.callId} conversations={conversations} call={call} isAlone={true} />
        ))}
      {!isOpen && calls.map((call) => <PermissionReceipt key={call.callId} store={store} call={call} isAlone={true} />)}
    </div>
  )
}

const GLYPHS: Readonly<Record<CardState, GlyphName>> = {
  preparing: 'pending',
  pending: 'pending',
  waiting: 'waiting',
  running: 'running',
  ok: 'ok',
  error: 'failed',
  denied: 'denied',
  'timed-out': 'timed-out',
  aborted: 'stopped',
  'not-started': 'not-started',
  unknown: 'unknown',
}
