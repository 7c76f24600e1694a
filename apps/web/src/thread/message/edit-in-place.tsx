import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type TranscriptItem, visibleItems } from '@holdfast/conversation'
import { useEffect, useRef, useState } from 'react'
import { EditPrice } from '../../composer/price/message-price.tsx'
import { insertWords } from '../../shared/insert-words.ts'
import { say } from '../../shared/language/say.ts'
import { problemText } from '../../shared/problem-words.ts'
import { tell } from '../../shared/toasts/toasts.ts'
import { wordsOf } from '../thread-parts.ts'
import { EditMessage } from './edit-message.tsx'
import { editedContent } from './edited-content.ts'
import type { ThreadActs } from './thread-acts.ts'

interface EditInPlaceProps {
  readonly item: TranscriptItem
  /** Where the turn before it ends. */
  readonly keptSeq: number
  readonly store: ConversationStore
  readonly context: ConversationContext
  readonly acts: ThreadActs
  readonly isBusy: boolean
  readonly onClose: () => void
}

/**
 * A message written anew where it stands. The form stays, with its words, until the log has them: then the message is on
 * another branch. Where that happened without them, they go into the field. [UI29]
 */
export function EditInPlace({ item, keptSeq, store, context, acts, isBusy, onClose }: EditInPlaceProps) {
  const [sentId, setSentId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const isSent = useConversation(store, ({ outbox }) => outbox.some(({ command }) => command.commandId === sentId))
  const refusal = useConversation(
    store,
    ({ refused }) => refused.find(({ command }) => command.commandId === sentId) ?? null,
  )
  useEffect(() => {
    if (!refusal) return
    setProblem(problemText(refusal.problem))
    setSentId(null)
    store.takeBack(refusal.command.commandId)
  }, [refusal, store])
  const before = wordsOf(item.parts)
  const open = useRef({ draft: before, isSent: false })
  useEffect(() => {
    open.current.isSent = sentId !== null
  }, [sentId])
  const { seq } = item
  useEffect(() => {
    const written = open.current
    return () => {
      const { window, overview } = store.getSnapshot()
      const isThere = visibleItems({ items: window.items, path: overview.path }).some((other) => other.seq === seq)
      if (isThere || written.isSent || written.draft.trim() === '' || written.draft === before) return
      insertWords(written.draft)
      tell(say('message.edit-is-in-the-field'), null)
    }
  }, [store, seq, before])

  return (
    <EditMessage
      text={before}
      isBusy={isBusy || isSent}
      problem={problem}
      price={(text) => (
        <EditPrice context={context} store={store} keptSeq={keptSeq} content={editedContent(item, text) ?? []} />
      )}
      onChange={(text) => {
        open.current.draft = text
      }}
      onCancel={() => {
        open.current.draft = before
        onClose()
      }}
      onSend={(text) => {
        if (!isSent) acts.whenFree(() => setSentId(acts.edit(keptSeq, editedContent(item, text) ?? [])))
      }}
    />
  )
}
