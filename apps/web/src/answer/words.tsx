import type { ConversationStore } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { Markdown } from '../markdown/markdown.tsx'

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
export function Words({ store, settled, blockIndex }: WordsProps) {
  const block = useObservable<unknown, ReturnType<typeof blockOf>>(settled === null ? store : SETTLED, () =>
    settled === null ? blockOf(store, blockIndex) : null,
  )
  return <Markdown text={settled ?? block?.text ?? ''} isComplete={settled !== null || block?.complete === true} />
}

function blockOf(store: ConversationStore, index: number) {
  return store.getSnapshot().draft?.blocks[index] ?? null
}
