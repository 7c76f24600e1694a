import type { Damage, EntryStore } from '@holdfast/conversation'
import { composeStore } from '../../src/sqlite/compose-store.ts'
import { openForReading } from '../../src/sqlite/files/connection.ts'
import { storeFiles } from '../../src/sqlite/files/files.ts'
import { toOpenError } from '../../src/sqlite/files/open-store.ts'
import { toReadError } from '../../src/sqlite/files/sqlite-errors.ts'
import { checkStore } from '../../src/sqlite/maintenance/check-store.ts'
import { toError, toFailure } from '../../src/sqlite/messages/failures.ts'
import type { ReadSignatures, WriteSignatures } from '../../src/sqlite/messages/operations.ts'
import { readOneState } from '../../src/sqlite/reading/read-one-state.ts'
import { createReaderOperations } from '../../src/sqlite/reading/reader-operations.ts'
import { performRead } from '../../src/sqlite/threads/read-thread.ts'
import type { Caller } from '../../src/sqlite/threads/thread.ts'
import { openWriter } from '../../src/sqlite/threads/writer.ts'
import { stillClock } from './sqlite-harness.ts'

/**
 * The store with both of its sides in the test's own thread: the same code without the time that two threads
 * need to start, for tests that open hundreds of files.
 *
 * @throws {StoreOpenError} when it cannot be opened.
 */
export function openInThread(dataDir: string, onDamage: (damage: Damage) => void): EntryStore {
  const files = storeFiles(dataDir)
  const options = { role: 'write', dataDir, now: 1_000, busyTimeoutMs: 100, maxPages: null } as const
  try {
    const writing = openWriter(files, options, onDamage)
    const database = openForReading(files, options)
    const operations = createReaderOperations(database)
    const writer: Caller<WriteSignatures> = {
      call: (name, args) => {
        const { promise, resolve, reject } = Promise.withResolvers<never>()
        const outcome = {
          answer: (value: never) => resolve(value),
          refuse: (error: unknown) => reject(toError(toFailure(error))),
        }
        writing.commit([{ call: { id: 0, name, args }, outcome }])
        return promise
      },
    }
    const reader: Caller<ReadSignatures> = {
      call: async (name, args) => {
        try {
          return readOneState(database, () => performRead(operations, { id: 0, name, args }))
        } catch (error) {
          throw toError(toFailure(toReadError(error, files) ?? error))
        }
      },
    }
    return composeStore(
      { writer, reader, onDamage },
      {
        clock: stillClock,
        bucket: null,
        check: (signal) => checkStore(database, { signal, readObject: null }),
        backup: () => Promise.reject(new Error('This store makes no backups')),
        close: async () => {
          database.close()
          writing.close()
        },
      },
    )
  } catch (error) {
    throw toOpenError(error, files)
  }
}
