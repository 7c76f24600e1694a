import { type Damage, DamagedLogError } from '@holdfast/conversation'
import type { StoreFiles } from '../files/files.ts'
import { type FolderLock, lockFolder } from '../files/folder-lock.ts'
import { changeFolderState, readFolderState } from '../files/folder-state.ts'
import { MIGRATIONS } from '../files/migrations.ts'
import { closeStore, openStore } from '../files/open-store.ts'
import { finishRestore } from '../files/restored-copy.ts'
import { isSqliteError } from '../files/sqlite-errors.ts'
import { createPurge } from '../maintenance/purge.ts'
import type { Call, Operations, WriteSignatures } from '../messages/operations.ts'
import type { ThreadOptions } from '../messages/thread-messages.ts'
import { rebuildSearch } from '../tables/erasure.ts'
import { createWriterTables, type WriterTables } from '../tables/writer-tables.ts'
import { createGroupCommit, type Member } from './group-commit.ts'
import { ALONE, createWriterOperations, type GroupStatistics, NOT_DURABLE, PURGING } from './writer-operations.ts'

/** What becomes of a call. */
export interface CallOutcome {
  answer(value: unknown): void
  refuse(error: unknown): void
}

/** The one who writes: it owns the folder, from opening to closing. */
export interface Writer {
  /** Commits these calls together. Each gets its outcome when it is durable, or later where it says so. */
  commit(calls: readonly { readonly call: Call<WriteSignatures>; readonly outcome: CallOutcome }[]): void
  close(): void
}

/**
 * Opens the database of a folder for writing. `tell` is told of damage as it is met.
 *
 * @throws {StoreOpenError} when it cannot be opened.
 */
export function openWriter(files: StoreFiles, options: ThreadOptions, tell: (damage: Damage) => void): Writer {
  const lock = lockFolder(files)
  try {
    return openLocked({ files, lock }, options, tell)
  } catch (error) {
    lock.close()
    throw error
  }
}

function openLocked(
  { files, lock }: { readonly files: StoreFiles; readonly lock: FolderLock },
  options: ThreadOptions,
  tell: (damage: Damage) => void,
): Writer {
  finishRestore(files)
  const { database, writeAhead } = openStore(files, options, MIGRATIONS)
  const tables = createWriterTables(database, (error) => {
    changeFolderState(files, { searchDamaged: true })
    const what = `the search index: ${error.message}; it is made anew at the next start`
    tell({ conversationId: null, firstBadSeq: null, what })
  })
  repairIndexes(tables, files, tell)
  tables.blobs.dropUnfinished()

  const statistics: GroupStatistics = { commitCount: 0, unsyncedCount: 0, largestGroup: 0 }
  const operations = createWriterOperations(tables, statistics)
  const commitGroup = createGroupCommit({ database, files, forget: tables.forget, statistics, writeAhead })
  const purge = createPurge({ database, files, search: tables.search, writeAhead })
  if (readFolderState(files).purging) purge.request(() => undefined)

  const toMember = (call: Call<WriteSignatures>, outcome: CallOutcome): Member => ({
    alone: ALONE.has(call.name),
    isDurable: !NOT_DURABLE.has(call.name),
    run: () => {
      if (PURGING.has(call.name)) purge.announce()
      return perform(operations, call)
    },
    answer: (value) => {
      if (PURGING.has(call.name)) purge.request(() => outcome.answer(value))
      else outcome.answer(value)
    },
    refuse: (error) => outcome.refuse(error),
  })

  return {
    commit: (calls) => commitGroup(calls.map(({ call, outcome }) => toMember(call, outcome))),
    close() {
      try {
        purge.finish()
        closeStore(database, files)
      } finally {
        lock.close()
      }
    },
  }
}

function perform<Name extends keyof WriteSignatures>(
  operations: Operations<WriteSignatures>,
  call: Call<WriteSignatures, Name>,
): WriteSignatures[Name]['result'] {
  return operations[call.name](call.args)
}

/** What is derived from the logs and is of another version, or was found damaged, is made anew. [PRJ5] */
function repairIndexes(tables: WriterTables, files: StoreFiles, tell: (damage: Damage) => void): void {
  const { cache, conversations } = tables
  const tellOf = ({ conversationId, firstBadSeq, message }: DamagedLogError) =>
    tell({ conversationId, firstBadSeq, what: message })
  for (const { conversationId } of conversations.outdated()) {
    try {
      inTransaction(tables, () => {
        const conversation = cache.find(conversationId)
        if (conversation) conversations.update(conversation, conversation.listing)
      })
    } catch (error) {
      if (!(error instanceof DamagedLogError)) throw error
      tellOf(error)
    }
  }
  if (!readFolderState(files).searchDamaged) return
  try {
    inTransaction(tables, () => rebuildSearch(tables, tellOf))
    changeFolderState(files, { searchDamaged: false })
  } catch (error) {
    if (!isSqliteError(error, 'SQLITE_CORRUPT')) throw error
    tell({ conversationId: null, firstBadSeq: null, what: `the search index cannot be made anew: ${error.message}` })
  }
}

function inTransaction({ database, forget }: WriterTables, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    forget()
    throw error
  }
}
