import {
  DamagedBlobError,
  DamagedLogError,
  StoreOpenError,
  StoreReadError,
  StoreWriteError,
} from '@holdfast/conversation'
import { CliError } from '../../cli-error.ts'
import { toFolderError } from '../../data-folder.ts'

/** Runs it, and says what went wrong in words and with a code. */
export async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError')
      throw new CliError('E_INTERRUPTED', 130, 'Broken off; nothing was changed.', { cause: error })
    if (error instanceof StoreOpenError || error instanceof StoreReadError || error instanceof StoreWriteError)
      throw toStoreError(error)
    if (error instanceof DamagedLogError || error instanceof DamagedBlobError)
      throw new CliError('E_STORE_DAMAGED', 1, error.message, { cause: error })
    throw toFolderError(error) ?? error
  }
}

/** What the store refuses, as a person reads it. */
export function toStoreError(error: StoreOpenError | StoreReadError | StoreWriteError): CliError {
  const exitCode = error.code === 'missing' ? 3 : 1
  const code = `E_STORE_${error.code.toUpperCase().replaceAll('-', '_')}`
  return new CliError(code, exitCode, `${error.message}${remedyOf(error)}`, { cause: error })
}

/** What a person of the terminal can do, where the store does not say it: it knows no options and no variables. */
function remedyOf({ code }: StoreOpenError | StoreReadError | StoreWriteError): string {
  if (code === 'unreachable') return '. Start that server, or correct HOLDFAST_DATABASE_URL.'
  return code === 'exists' ? '. Restore into another folder with --data-dir, or replace it with --force.' : ''
}

/** Fires at Ctrl+C. */
export function untilInterrupt(): AbortSignal {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  return interrupted.signal
}
