import type { MessagePort } from 'node:worker_threads'
import { receiveMessageOnPort } from 'node:worker_threads'
import { type Damage, DamagedLogError } from '@holdfast/conversation'
import { rebuildSearch } from './erasure.ts'
import { toFailure } from './failures.ts'
import type { StoreFiles } from './files.ts'
import { lockFolder } from './folder-lock.ts'
import { changeFolderState, readFolderState } from './folder-state.ts'
import { createGroupCommit, type Member } from './group-commit.ts'
import { MIGRATIONS } from './migrations.ts'
import { markClosed, openStore } from './open-store.ts'
import type { Call, Operations, WriteSignatures } from './operations.ts'
import { createPurge } from './purge.ts'
import { finishRestore } from './restored-copy.ts'
import { isSqliteError } from './sqlite-errors.ts'
import type { Answer, ThreadMessage, ThreadOptions, ThreadOrder } from './thread-messages.ts'
import { ALONE, createWriterOperations, type GroupStatistics, PURGING } from './writer-operations.ts'
import { createWriterTables, type WriterTables } from './writer-tables.ts'

/** The most calls of one commit: a longer queue is answered in parts. */
const MAX_GROUP = 256

type Told = Call<WriteSignatures> | ThreadOrder

/** Runs the thread that writes: it owns the folder, and commits in groups all calls that wait. */
export function runWriteThread(port: MessagePort, files: StoreFiles, options: ThreadOptions): void {
  const say = (message: ThreadMessage) => port.postMessage(message)
  const tell = (damage: Damage) => say({ type: 'damage', damage })
  const lock = lockFolder(files)
  finishRestore(files)
  const database = openStore(files, options, MIGRATIONS)
  const tables = createWriterTables(database, (error) => {
    changeFolderState(files, { searchDamaged: true })
    tell({
      conversationId: null,
      firstBadSeq: null,
      what: `the search index: ${error.message}; it is made anew at the next start`,
    })
  })
  repairIndexes(tables, files, tell)
  tables.blobs.dropUnfinished()

  const statistics: GroupStatistics = { commitCount: 0, largestGroup: 0 }
  const operations = createWriterOperations(tables, statistics)
  const commit = createGroupCommit({ database, files, forget: tables.cache.clear, statistics })
  const purge = createPurge(database, files, tables.search)

  const close = (): void => {
    purge.finish()
    database.pragma('wal_checkpoint(TRUNCATE)')
    // Before the file is closed: from here on the write-ahead file may be missing.
    markClosed(files)
    database.close()
    lock.close()
    say({ type: 'closed' })
    port.close()
  }

  const handle = (told: readonly Told[]): void => {
    const calls = told.filter((one) => 'name' in one)
    for (let from = 0; from < calls.length; from += MAX_GROUP) {
      const answers: Answer[] = []
      commit(calls.slice(from, from + MAX_GROUP).map((call) => toMember(call, { operations, purge, answers, say })))
      if (answers.length > 0) say({ type: 'answers', answers })
    }
    if (told.some((one) => 'type' in one && one.type === 'close')) close()
  }

  port.on('message', (first: Told) => handle([first, ...waiting(port)]))
  say({ type: 'ready' })
  if (readFolderState(files).purging) purge.request(() => undefined)
}

function toMember(
  call: Call<WriteSignatures>,
  to: {
    readonly operations: Operations<WriteSignatures>
    readonly purge: ReturnType<typeof createPurge>
    readonly answers: Answer[]
    readonly say: (message: ThreadMessage) => void
  },
): Member {
  const { id, name } = call
  return {
    alone: ALONE.has(name),
    run: () => {
      if (PURGING.has(name)) to.purge.announce()
      return perform(to.operations, call)
    },
    answer: (value) => {
      const answer: Answer = { type: 'answered', id, value }
      if (PURGING.has(name)) to.purge.request(() => to.say({ type: 'answers', answers: [answer] }))
      else to.answers.push(answer)
    },
    refuse: (error) => to.answers.push({ type: 'refused', id, failure: toFailure(error) }),
  }
}

function perform<Name extends keyof WriteSignatures>(
  operations: Operations<WriteSignatures>,
  call: Call<WriteSignatures, Name>,
): WriteSignatures[Name]['result'] {
  return operations[call.name](call.args)
}

function waiting(port: MessagePort): Told[] {
  const told: Told[] = []
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) told.push(next.message)
  return told
}

/** What is derived from the logs and is of another version, or was found damaged, is made anew. [PRJ5] */
function repairIndexes(tables: WriterTables, files: StoreFiles, tell: (damage: Damage) => void): void {
  const { database, conversations, cache } = tables
  const tellOf = ({ conversationId, firstBadSeq, message }: DamagedLogError) =>
    tell({ conversationId, firstBadSeq, what: message })
  for (const { conversationId } of conversations.outdated()) {
    database.exec('BEGIN IMMEDIATE')
    try {
      const conversation = cache.find(conversationId)
      if (conversation) conversations.update(conversation, conversation.listing)
      database.exec('COMMIT')
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK')
      cache.clear()
      if (!(error instanceof DamagedLogError)) throw error
      tellOf(error)
    }
  }
  if (!readFolderState(files).searchDamaged) return
  database.exec('BEGIN IMMEDIATE')
  try {
    rebuildSearch(tables, tellOf)
    database.exec('COMMIT')
    changeFolderState(files, { searchDamaged: false })
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    cache.clear()
    if (!isSqliteError(error, 'SQLITE_CORRUPT')) throw error
    tell({ conversationId: null, firstBadSeq: null, what: `the search index cannot be made anew: ${error.message}` })
  }
}
