import { createInterface } from 'node:readline/promises'

/** One line of a person, asked for on stderr, so that stdout stays what was answered; null at the end of the input. */
export async function readLine(question: string, signal: AbortSignal): Promise<string | null> {
  if (signal.aborted) return null
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<null>((resolve) => asking.once('close', () => resolve(null)))
  const close = (): void => asking.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    return await Promise.race([asking.question(question), closed])
  } finally {
    signal.removeEventListener('abort', close)
    asking.close()
  }
}
