import type { Client, ConversationContext, ConversationStore, PriceQuery } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { PriceAnswer, SentPart } from '@holdfast/protocol'
import { useMemo } from 'react'
import { useAskedAtRest } from '../../shared/ask-server.ts'
import { say } from '../../shared/language/say.ts'
import { useTick } from '../../shared/use-seconds.ts'
import { contextVersion } from '../context/use-context-use.ts'
import { lossWords, priceAt, priceTitle, priceWords, warmthWords, warmUntil } from './price-words.ts'

interface NextPriceProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
  /** What is being written, with what goes along. */
  readonly content: readonly SentPart[]
}

/** What the next message costs, while it is written, and how long the cache stays warm. Its line never moves. */
export function NextPrice({ context, store, content }: NextPriceProps) {
  const version = useConversation(store, contextVersion)
  return <PriceLine priced={usePrice(context, questionOf(content), version)} />
}

interface FirstPriceProps {
  readonly client: Client
  /** What is chosen for the conversation; null for the usual. */
  readonly modelId: string | null
  readonly agentId: string | null
  /** What is being written, with what goes along. */
  readonly content: readonly SentPart[]
}

/** What the first message of a conversation costs that its sending makes. */
export function FirstPrice({ client, modelId, agentId, content: written }: FirstPriceProps) {
  const source = useMemo(() => {
    const chosen = { ...(modelId === null ? {} : { modelId }), ...(agentId === null ? {} : { agentId }) }
    return {
      readPrice: ({ content }: PriceQuery) => client.priceOfNew({ ...(content ? { content } : {}), ...chosen }),
    }
  }, [client, modelId, agentId])
  return <PriceLine priced={usePrice(source, questionOf(written), 'new')} />
}

interface EditPriceProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
  /** Where the path goes back to. */
  readonly keptSeq: number
  /** What is asked instead. */
  readonly content: readonly SentPart[]
}

/** What it costs to ask an earlier message anew, and what that breaks. */
export function EditPrice({ context, store, keptSeq, content }: EditPriceProps) {
  const version = useConversation(store, contextVersion)
  const priced = usePrice(context, { content: [...content], toSeq: keptSeq }, version)
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

function questionOf(content: readonly SentPart[]): PriceQuery {
  return content.length === 0 ? {} : { content: [...content] }
}

function PriceLine({ priced }: { readonly priced: PriceAnswer | null }) {
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

/** What knows the price: a conversation, or one that is about to begin. */
type PriceSource = Pick<ConversationContext, 'readPrice'>

/** Typing must rest for so long before the price is asked for, in milliseconds. */
const REST_MS = 300

/**
 * What the next message would cost; asked for when the words rest, and when the conversation has changed. The last
 * answer stays until the next one is here, so that nothing jumps. Null before the first.
 *
 * @param version - changes with the conversation; null while no price can be told.
 */
function usePrice(context: PriceSource, question: PriceQuery, version: string | null): PriceAnswer | null {
  const words = JSON.stringify(question)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is a new object at every render, and the same words
  const ask = useMemo(() => (version === null ? null : () => context.readPrice(question)), [context, words, version])
  return useAskedAtRest(ask, REST_MS).asked.value
}
