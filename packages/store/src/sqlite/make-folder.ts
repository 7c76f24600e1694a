import { mkdir } from 'node:fs/promises'
import { StoreOpenError } from '@holdfast/conversation'
import { isFileError, REFUSED } from './file-errors.ts'

/**
 * Makes the data folder when it is missing, so that only its owner can read it.
 *
 * @throws {StoreOpenError} `not-writable` when it cannot be made.
 */
export async function makeFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (!isFileError(error, ...REFUSED, 'ENOTDIR', 'EEXIST', 'ENOSPC')) throw error
    throw new StoreOpenError(
      'not-writable',
      `The data folder ${dataDir} cannot be made (${error.code}). Make its parent writable, or start with another data folder.`,
      { cause: error },
    )
  }
}
