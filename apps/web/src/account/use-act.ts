import { RequestFailedError } from '@holdfast/client'
import { useState } from 'react'
import { errorText } from '../problem-words.ts'

/** Something that is asked of the server: whether it is under way, and why it was refused. */
export interface Act {
  readonly isBusy: boolean
  readonly problem: string | null
  /** @returns whether it was done. */
  run(work: () => Promise<void>): Promise<boolean>
}

/** Runs one thing at a time, and keeps the words of a refusal until the next. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function run(work: () => Promise<void>): Promise<boolean> {
    setBusy(true)
    setProblem(null)
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(errorText(error))
      return false
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, problem, run }
}
