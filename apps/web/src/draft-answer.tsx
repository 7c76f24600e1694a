import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { DraftBlock, OpenRun } from '@holdfast/conversation'
import { SummarisingLine } from './checkpoint/summarising-card.tsx'
import { Glyph } from './icons.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { ThinkingLine, ThinkingNow } from './thinking-line.tsx'
import { PreparingCall } from './tools/preparing-call.tsx'
import { useSecondsSince } from './use-seconds.ts'

interface DraftAnswerProps {
  readonly store: ConversationStore
  readonly run: OpenRun
  /** Whether calls of the step before are under way: then their cards say what happens. */
  readonly hasCalls: boolean
}

/** The answer that is being written. It follows the stream on its own, so that a delta renders nothing else. */
export function DraftAnswer({ store, run, hasCalls }: DraftAnswerProps) {
  const draft = useConversation(store, (state) => state.draft)
  const seconds = useSecondsSince(run.startedAt)
  const blocks = draft?.blocks ?? []
  const isSilent = !hasCalls && blocks.every(({ start, text }) => start.type !== 'tool-call' && text === '')
  if (run.openStep?.purpose === 'checkpoint') return <SummarisingLine startedAt={run.startedAt} onCancel={null} />
  return (
    <>
      {blocks.map((block, index) => (
        // Blocks are never moved: their place is their name.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <DraftBlockView key={index} block={block} isLast={index === blocks.length - 1} seconds={seconds} />
      ))}
      {isSilent && (
        <p className="starting">
          <Glyph name="running" lively />
          {run.phase === 'stopping' ? 'Stopping…' : `Waiting for the model · ${seconds} s`}
        </p>
      )}
    </>
  )
}

function DraftBlockView(props: { readonly block: DraftBlock; readonly isLast: boolean; readonly seconds: number }) {
  const { start, text } = props.block
  switch (start.type) {
    case 'text':
      return <Markdown text={text} isComplete={props.block.complete} />
    case 'thinking':
      return props.isLast ? (
        <ThinkingNow text={text} seconds={props.seconds} />
      ) : (
        <ThinkingLine text={text} tokens={null} />
      )
    case 'tool-call':
      return <PreparingCall name={start.name} inputText={text} isComplete={props.block.complete} />
  }
}
