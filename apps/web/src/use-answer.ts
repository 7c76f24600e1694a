import { RequestFailedError } from '@holdfast/client'
import { useCallback, useEffect, useState } from 'react'
import { errorText } from './problem-words.ts'

/** What the server was asked for. */
export type Answer<Value> =
  | { readonly type: 'asking' }
  | { readonly type: 'here'; readonly value: Value }
  | { readonly type: 'failed'; readonly problem: string }

/** Asks once when the component is shown, and again on wish. `ask` keeps its identity as long as the question is the same. */
export function useAnswer<Value>(ask: () => Promise<Value>): readonly [Answer<Value>, () => void] {
  const [answer, setAnswer] = useState<Answer<Value>>({ type: 'asking' })
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  useEffect(() => {
    let isCurrent = true
    void settled(ask).then((next) => {
      if (isCurrent) setAnswer(next)
    })
    return () => {
      isCurrent = false
    }
  }, [ask, round])
  return [answer, useCallback(() => setRound((known) => known + 1), [])]
}

async function settled<Value>(ask: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { type: 'here', value: await ask() }
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error
    return { type: 'failed', problem: errorText(error) }
  }
}
