import { RequestFailedError } from '@holdfast/client'
import { useCallback, useEffect, useState } from 'react'
import { errorText } from '../problem-words.ts'

/** A list at the server: null until it is here, and a way to read it anew. */
export function useLoaded<Value>(read: () => Promise<Value>): {
  readonly value: Value | null
  readonly problem: string | null
  reload(): void
} {
  const [value, setValue] = useState<Value | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const reload = useCallback(() => {
    read()
      .then((loaded) => {
        setValue(loaded)
        setProblem(null)
      })
      .catch((error: unknown) => {
        if (!(error instanceof RequestFailedError)) throw error
        setProblem(errorText(error))
      })
  }, [read])
  useEffect(reload, [reload])
  return { value, problem, reload }
}
