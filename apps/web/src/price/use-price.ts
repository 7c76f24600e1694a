import { type ConversationContext, type PriceAnswer, type PriceQuestion, RequestFailedError } from '@holdfast/client'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** What knows the price: a conversation, or one that is about to begin. */
export type PriceSource = Pick<ConversationContext, 'readPrice'>

/** Typing must rest for so long before the price is asked for, in milliseconds. */
const REST_MS = 300

/**
 * What the next message would cost; asked for when the words rest, and when the conversation has changed. The last
 * answer stays until the next one is here, so that nothing jumps. Undefined before the first.
 *
 * @param version - changes with the conversation; null while no price can be told.
 */
export function usePrice(
  context: PriceSource,
  question: PriceQuestion,
  version: string | null,
): PriceAnswer | undefined {
  const [answer, setAnswer] = useState<PriceAnswer | undefined>(undefined)
  const asked = JSON.stringify(question)
  const newest = useRef(question)
  useLayoutEffect(() => {
    newest.current = question
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is a new object at every render, and the same words
  useEffect(() => {
    if (version === null) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const next = await readPrice(context, newest.current)
      if (isCurrent && next !== undefined) setAnswer(next)
    }, REST_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [context, asked, version])
  return answer
}

/** The price, or undefined where the server does not answer: a price that is not told holds nobody up. */
export async function readPrice(context: PriceSource, question: PriceQuestion): Promise<PriceAnswer | undefined> {
  try {
    return await context.readPrice(question)
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error
    return undefined
  }
}
