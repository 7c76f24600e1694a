import { StoreOpenError, StoreWriteError } from '@holdfast/conversation'
import { CliError } from '../cli-error.ts'

/** Runs it, and says what went wrong in words and with a code. */
export async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError')
      throw new CliError('E_INTERRUPTED', 130, 'Broken off; nothing was changed.', { cause: error })
    if (!(error instanceof StoreOpenError || error instanceof StoreWriteError)) throw error
    const exitCode = error.code === 'missing' ? 3 : 1
    throw new CliError(`E_STORE_${error.code.toUpperCase().replaceAll('-', '_')}`, exitCode, error.message, {
      cause: error,
    })
  }
}

/** Fires at Ctrl+C. */
export function untilInterrupt(): AbortSignal {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  return interrupted.signal
}
