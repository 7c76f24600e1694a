import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { DraftBlock } from '@holdfast/conversation'
import { useSecondsSince } from '../../shared/use-seconds.ts'
import { PreparingCall } from '../../tools/preparing-call.tsx'
import { ThinkingLine, ThinkingNow } from './thinking-line.tsx'

interface BlockProps {
  readonly store: ConversationStore
  readonly blockIndex: number
}

/** Thinking of the open step; with a time it is what the model does now. */
export function ThinkingOf({ store, blockIndex, startedAt }: BlockProps & { readonly startedAt: number | null }) {
  const text = useBlock(store, blockIndex)?.text ?? ''
  return startedAt === null ? (
    <ThinkingLine text={text} tokens={null} thoughtMs={null} isLeftOut={false} />
  ) : (
    <TimedThinking text={text} startedAt={startedAt} />
  )
}

function TimedThinking({ text, startedAt }: { readonly text: string; readonly startedAt: number }) {
  return <ThinkingNow text={text} seconds={useSecondsSince(startedAt)} />
}

/** A call that the model is writing. */
export function PreparingNow({ store, blockIndex }: BlockProps) {
  const block = useBlock(store, blockIndex)
  if (block?.start.type !== 'tool-call') return null
  return <PreparingCall name={block.start.name} inputText={block.text} isComplete={block.complete} />
}

function useBlock(store: ConversationStore, index: number): DraftBlock | null {
  return useConversation(store, ({ draft }) => draft?.blocks[index] ?? null)
}
