import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { contextVersion } from '../context/use-context-use.ts'
import { say } from '../language/say.ts'
import { useTick } from '../use-seconds.ts'
import { priceAt, priceTitle, priceWords, warmthWords, warmUntil } from './price-words.ts'
import { usePrice } from './use-price.ts'

interface NextPriceProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
  /** What is being written. */
  readonly text: string
}

/** What the next message costs, while it is written, and how long the cache stays warm. Its line never moves. */
export function NextPrice({ context, store, text }: NextPriceProps) {
  const version = useConversation(store, contextVersion)
  const words = text.trim()
  const priced = usePrice(context, words === '' ? {} : { content: [{ type: 'text', text }] }, version)
  const until = priced ? warmUntil(priced) : null
  const now = useTick(until !== null)
  if (!priced) return <p className="price-line" data-testid="next-price" data-state="unknown" />
  const price = priceAt(priced, now)
  return (
    <p className="price-line" data-testid="next-price" data-state={until !== null && now <= until ? 'warm' : 'cold'}>
      <span title={priceTitle(price, priced.isSummaryDue)}>
        {say(priced.isSummaryDue ? 'price.next-message-and-summary' : 'price.next-message', {
          price: priceWords(priced, price),
        })}
      </span>
      <span className="warmth" title={say('price.so-long-the-provider-keeps')}>
        {warmthWords(priced, now)}
      </span>
    </p>
  )
}
