import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreOpenError } from '@holdfast/conversation'
import { isFileError, REFUSED } from './file-errors.ts'

/**
 * Makes the data folder when it is missing, so that only its owner can read it.
 *
 * @throws {StoreOpenError} `not-writable` when it cannot be made.
 */
export async function makeFolder(dataDir: string): Promise<void> {
  try {
    await makeOneByOne(dataDir)
  } catch (error) {
    if (!isFileError(error, ...REFUSED, 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC')) throw error
    throw new StoreOpenError(
      'not-writable',
      `The data folder ${dataDir} cannot be made (${error.code}). Make its parent writable, or start with another data folder.`,
      { cause: error },
    )
  }
}

/** Of a file system that makes no folders, such as /proc, `recursive` asks again without end. */
async function makeOneByOne(folder: string): Promise<void> {
  if (existsSync(folder)) return
  await makeOneByOne(dirname(folder))
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
}
