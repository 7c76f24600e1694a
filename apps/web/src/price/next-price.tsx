import type { Client, ConversationContext, ConversationStore, PriceAnswer, PriceQuestion } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useMemo } from 'react'
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
  return <PriceLine priced={usePrice(context, questionOf(text), version)} />
}

interface FirstPriceProps {
  readonly client: Client
  /** What is chosen for the conversation; null for the usual. */
  readonly modelId: string | null
  readonly agentId: string | null
  /** What is being written. */
  readonly text: string
}

/** What the first message of a conversation costs that its sending makes. */
export function FirstPrice({ client, modelId, agentId, text }: FirstPriceProps) {
  const source = useMemo(() => {
    const chosen = { ...(modelId === null ? {} : { modelId }), ...(agentId === null ? {} : { agentId }) }
    return {
      readPrice: ({ content }: PriceQuestion) => client.priceOfNew({ ...(content ? { content } : {}), ...chosen }),
    }
  }, [client, modelId, agentId])
  return <PriceLine priced={usePrice(source, questionOf(text), 'new')} />
}

function questionOf(text: string): PriceQuestion {
  return text.trim() === '' ? {} : { content: [{ type: 'text', text }] }
}

function PriceLine({ priced }: { readonly priced: PriceAnswer | undefined }) {
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
