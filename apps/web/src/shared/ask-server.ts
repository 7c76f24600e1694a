import { RequestFailedError } from '@holdfast/client'
import { useCallback, useEffect, useState } from 'react'
import { errorText } from './problem-words.ts'
import { tellProblem } from './toasts/toasts.ts'

/** What came of a question to the server: its answer, or why there is none. */
export type Answer<Value> =
  | { readonly type: 'here'; readonly value: Value; readonly problem: null }
  | { readonly type: 'failed'; readonly value: null; readonly problem: string }

/** What is known of something that the server was asked for; one that failed keeps what was known before. */
export type Asked<Value> =
  | { readonly type: 'asking'; readonly value: null; readonly problem: null }
  | { readonly type: 'here'; readonly value: Value; readonly problem: null }
  | { readonly type: 'failed'; readonly value: Value | null; readonly problem: string }

/** Something that the server is told to do: whether it is under way, and why it was refused. */
export interface Telling {
  readonly isBusy: boolean
  readonly problem: string | null
  /** @returns whether it was done. */
  run(work: () => Promise<unknown>): Promise<boolean>
}

/** Waits for an answer of the server. What the server did not refuse is a bug, and is thrown. */
export async function answerOf<Value>(work: Promise<Value>): Promise<Answer<Value>> {
  try {
    return { type: 'here', value: await work, problem: null }
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error
    return { type: 'failed', value: null, problem: errorText(error) }
  }
}

/** Waits until the server has done something; where it has not, says so in a toast. @returns whether it was done. */
export async function told(work: Promise<unknown>): Promise<boolean> {
  const { problem } = await answerOf(work)
  if (problem !== null) tellProblem(problem)
  return problem === null
}

/**
 * Asks when the component is shown, and again on wish; nothing where the question is null. `ask` keeps its identity as
 * long as the question is the same.
 */
export function useAsked<Value>(ask: (() => Promise<Value>) | null): readonly [Asked<Value>, () => void] {
  const { asked, askAgain } = useAskedAtRest(ask, 0)
  return [asked, askAgain]
}

/** What is known of an answer, and whether the newest question has it already. */
export interface AskedAtRest<Value> {
  readonly asked: Asked<Value>
  readonly isNewest: boolean
  readonly askAgain: () => void
}

/**
 * Asks when the question has rested for so many milliseconds. What was known stays until the next answer is here; an
 * answer to a former question is dropped.
 */
export function useAskedAtRest<Value>(ask: (() => Promise<Value>) | null, restMs: number): AskedAtRest<Value> {
  const [known, setKnown] = useState<{ readonly to: typeof ask; readonly asked: Asked<Value> }>(() => ({
    to: null,
    asked: { type: 'asking', value: null, problem: null },
  }))
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  useEffect(() => {
    if (ask === null) return
    let isCurrent = true
    async function find(question: () => Promise<Value>): Promise<void> {
      const answer = await answerOf(question())
      if (!isCurrent) return
      setKnown(({ asked: { value } }) => ({
        to: question,
        asked: answer.type === 'here' ? answer : { type: 'failed', value, problem: answer.problem },
      }))
    }
    if (restMs === 0) {
      void find(ask)
      return () => {
        isCurrent = false
      }
    }
    const timer = setTimeout(() => void find(ask), restMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [ask, restMs, round])
  const askAgain = useCallback(() => setRound((before) => before + 1), [])
  return { asked: known.asked, isNewest: known.to === ask, askAgain }
}

/** Tells the server one thing after the other, and keeps the words of a refusal until the next. */
export function useTold(): Telling {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = useCallback(async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(null)
    try {
      const answer = await answerOf(work())
      setProblem(answer.problem)
      return answer.type === 'here'
    } finally {
      setBusy(false)
    }
  }, [])
  return { isBusy, problem, run }
}
