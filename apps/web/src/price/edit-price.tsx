import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { contextVersion } from '../context/use-context-use.ts'
import { say } from '../language/say.ts'
import { lossWords, priceWords } from './price-words.ts'
import { usePrice } from './use-price.ts'

interface EditPriceProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
  /** Where the path goes back to. */
  readonly keptSeq: number
  readonly text: string
}

/** What it costs to ask an earlier message anew, and what that breaks. */
export function EditPrice({ context, store, keptSeq, text }: EditPriceProps) {
  const version = useConversation(store, contextVersion)
  const content = text.trim() === '' ? [] : [{ type: 'text' as const, text }]
  const priced = usePrice(context, { content, toSeq: keptSeq }, version)
  if (!priced) return <p className="price-line" data-testid="edit-price" data-state="unknown" />
  const loss = lossWords(priced)
  return (
    <p className="price-line" data-testid="edit-price" data-state={loss === null ? 'kept' : 'broken'}>
      {[
        say('price.asked-anew', { price: priceWords(priced, priced.price.now) }),
        ...(loss === null ? [] : [loss]),
      ].join(' · ')}
    </p>
  )
}
