import { RequestFailedError } from '@holdfast/client'
import { errorText } from './problem-words.ts'
import { tellProblem } from './toasts/toasts.ts'

/** Waits for an answer of the server; where there is none, says so. @returns whether it was done. */
export async function told(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error
    tellProblem(errorText(error))
    return false
  }
}
