import { StoreOpenError, StoreWriteError } from '@holdfast/conversation'
import { CliError } from '../cli-error.ts'
import { toFolderError } from '../data-folder.ts'

/** Runs it, and says what went wrong in words and with a code. */
export async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError')
      throw new CliError('E_INTERRUPTED', 130, 'Broken off; nothing was changed.', { cause: error })
    if (error instanceof StoreOpenError || error instanceof StoreWriteError) throw toStoreError(error)
    throw toFolderError(error) ?? error
  }
}

/** What the store refuses, as a person reads it. */
export function toStoreError(error: StoreOpenError | StoreWriteError): CliError {
  const exitCode = error.code === 'missing' ? 3 : 1
  const remedy = error.code === 'unreachable' ? '. Start that server, or correct HOLDFAST_DATABASE_URL.' : ''
  const code = `E_STORE_${error.code.toUpperCase().replaceAll('-', '_')}`
  return new CliError(code, exitCode, `${error.message}${remedy}`, { cause: error })
}

/** Fires at Ctrl+C. */
export function untilInterrupt(): AbortSignal {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  return interrupted.signal
}
