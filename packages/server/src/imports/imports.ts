import {
  AppendConflictError,
  type Clock,
  createKeyedTurns,
  type Ids,
  type Records,
  StoreWriteError,
} from '@holdfast/conversation'
import type { ImportAnswer } from '@holdfast/protocol'
import type { Diagnostics } from '../parts/diagnostics.ts'
import { countedBy, type Reservation } from '../parts/storage.ts'
import { inWords } from '../parts/storage-limits.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { IMPORT, type ImportRecord, newImportRecord, toImportAnswer } from './import-record.ts'
import { type ImportPorts, runImport } from './run-import.ts'
import type { SourceFolder, SourceKey } from './source-folder.ts'
import { UnreadableFileError } from './sources-of.ts'

/** Brings files into the store, one of a user after another, users side by side; what a process leaves unfinished, the next one goes on with. */
export interface Imports {
  /** Keeps a file and has it imported. @throws {RefusedError} when it is empty, too large or cannot be kept. [SEC17] */
  begin(userId: string, file: ImportFile): Promise<ImportAnswer>
  /** How far an import is; waits for its end, at most so long. @throws {RefusedError} when it is not there. */
  read(key: SourceKey, waitMs: number): Promise<ImportAnswer>
  /** The imports of a user, newest first. */
  list(userId: string): Promise<ImportAnswer[]>
  /** Ends an import: whole conversations stay, of the one that is being read nothing does. */
  cancel(key: SourceKey): Promise<ImportAnswer>
  /** Whether a conversation is being written and not whole yet: readers do not see it. */
  isHidden(conversationId: string): boolean
  /** Begins with what was left. Until then files only wait. */
  start(): void
  /** Breaks off; the next process goes on. */
  close(): Promise<void>
}

/** A file to import, and what is asked of it. */
export interface ImportFile extends Pick<ImportRecord, 'name' | 'isDryRun' | 'only' | 'since'> {
  readonly content: AsyncIterable<Uint8Array>
}

/** What it needs. */
export interface ImportsDeps extends ImportPorts {
  readonly folder: SourceFolder
  readonly records: Records
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Diagnostics
}

interface Job extends SourceKey {
  readonly tally: ImportRecord
  revision: number
  readonly abort: AbortController
  readonly ended: PromiseWithResolvers<void>
  /** What its file takes, until it is gone. */
  readonly room: Pick<Reservation, 'end'>
}

/** So many records of imports are kept for a user. */
const KEPT_RECORDS = 200
/** A conversation may be changed by others while it is brought up to date; so often it is begun again. */
const ATTEMPTS = 3

/** Opens the imports of a folder: removes what is half there, and remembers what was left. */
export async function openImports(deps: ImportsDeps): Promise<Imports> {
  const { folder, records, clock, ids, log, store, storage, storageLimits, engine } = deps
  const jobs = new Map<string, Job>()
  const hidden = new Set<string>()
  const opened = Promise.withResolvers<void>()
  let isClosed = false
  const inTurn = createKeyedTurns()

  function jobOf(
    { userId, importId }: SourceKey,
    { tally, revision, room }: Pick<Job, 'tally' | 'revision' | 'room'>,
  ): Job {
    const [abort, ended] = [new AbortController(), Promise.withResolvers<void>()]
    return { userId, importId, tally, revision, room, abort, ended }
  }

  /** Files arrive side by side; how many wait is looked at when one begins to. */
  function checkCount(userId: string): void {
    const { importsOfUser } = storageLimits
    const open = [...jobs.values()].filter((job) => job.userId === userId && job.tally.state === 'running')
    if (open.length >= importsOfUser)
      throw new RefusedError(
        429,
        'too-many-imports',
        `${open.length} imports of yours run or wait; wait for one to end, or cancel one`,
      )
  }

  async function* notLonger(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { importBytes } = storageLimits
    let sizeBytes = 0
    for await (const piece of content) {
      sizeBytes += piece.length
      if (sizeBytes > importBytes)
        throw new RefusedError(
          413,
          'too-large',
          `A file to import has at most ${inWords(importBytes)}. Send it in parts`,
        )
      yield piece
    }
  }

  async function write(job: Job): Promise<void> {
    const { userId: ownerId, importId: id, revision, tally: value } = job
    job.revision = (await records.put(IMPORT, { ownerId, id, revision, value, at: clock.now() })).revision
  }

  function enqueue(job: Job): void {
    jobs.set(job.importId, job)
    void inTurn(job.userId, async () => {
      await opened.promise
      await work(job)
    })
  }

  async function work(job: Job): Promise<void> {
    try {
      await attempt(job, 1)
      await end(job, { state: 'finished', problem: null })
    } catch (error) {
      if (isClosed) return
      if (job.abort.signal.aborted) await end(job, { state: 'cancelled', problem: null })
      else await end(job, { state: 'failed', problem: problemOf(error) })
      if (isFault(error) && !job.abort.signal.aborted)
        log.error('an import ended by a fault', { importId: job.importId, error })
    } finally {
      job.room.end()
      job.ended.resolve()
    }
  }

  async function attempt(job: Job, number: number): Promise<void> {
    const { userId, importId, tally, abort } = job
    try {
      abort.signal.throwIfAborted()
      await runImport(deps, {
        userId,
        importId,
        tally,
        path: folder.pathOf(job),
        signal: abort.signal,
        onOpen: (conversationId) => setOpen(job, conversationId),
      })
    } catch (error) {
      if (!(error instanceof AppendConflictError) || number === ATTEMPTS) throw error
      await removeHalf(job)
      Object.assign(tally, { ...newImportRecord(tally), imported: tally.imported, updated: tally.updated })
      await attempt(job, number + 1)
    }
  }

  async function setOpen(job: Job, conversationId: string | null): Promise<void> {
    const { openConversationId } = job.tally
    if (openConversationId !== null) hidden.delete(openConversationId)
    if (conversationId !== null) hidden.add(conversationId)
    job.tally.openConversationId = conversationId
    await write(job)
  }

  async function removeHalf(job: Job): Promise<void> {
    const { openConversationId } = job.tally
    if (openConversationId === null) return
    await store.deleteConversation(openConversationId, clock.now()).finally(() => engine.forgetLog(openConversationId))
    await setOpen(job, null)
  }

  async function end(job: Job, outcome: Pick<ImportRecord, 'state' | 'problem'>): Promise<void> {
    try {
      await removeHalf(job)
      Object.assign(job.tally, outcome, { finishedAt: clock.now() })
      await write(job)
      await folder.remove(job)
      await forgetOld(job.userId)
    } catch (error) {
      Object.assign(job.tally, { state: 'failed', problem: problemOf(error) })
      log.error('the end of an import cannot be written down', { importId: job.importId, error })
    }
  }

  async function forgetOld(ownerId: string): Promise<void> {
    const found = await records.list(IMPORT, { ownerId, limit: KEPT_RECORDS * 2 })
    const ended = found.filter(({ value }) => value.state !== 'running').toSorted(byNewest)
    for (const { id, revision } of ended.slice(KEPT_RECORDS)) {
      await records.remove(IMPORT, { ownerId, id, revision })
      jobs.delete(id)
    }
  }

  async function answerOf({ userId, importId }: SourceKey): Promise<ImportAnswer> {
    const job = jobs.get(importId)
    if (job?.userId === userId) return toImportAnswer(importId, structuredClone(job.tally))
    const found = await records.get(IMPORT, { ownerId: userId, id: importId })
    if (found) return toImportAnswer(importId, found.value)
    throw new RefusedError(404, 'unknown-import', `There is no import ${importId}; GET /imports lists them`)
  }

  for (const key of await folder.left()) {
    const found = await records.get(IMPORT, { ownerId: key.userId, id: key.importId })
    if (found?.value.state !== 'running') await folder.remove(key)
    else {
      const { revision, value } = found
      const room = storage.reserveKept(key.userId, await folder.sizeOf(key))
      const job = jobOf(key, { tally: value, revision, room })
      await removeHalf(job)
      enqueue(jobOf(key, { tally: newImportRecord(value), revision: job.revision, room }))
    }
  }

  return {
    async begin(userId, { name, content, ...asked }) {
      const importId = ids.next('import')
      const key = { userId, importId }
      checkCount(userId)
      const room = await storage.reserve(userId)
      try {
        const sizeBytes = await folder.keep(key, countedBy(room, notLonger(content)))
        if (sizeBytes === 0) {
          await folder.remove(key)
          throw new RefusedError(400, 'bad-request', `The file ${name} is empty: there is nothing in it to import`)
        }
        const tally = newImportRecord({ name, sizeBytes, startedAt: clock.now(), ...asked })
        const job = jobOf(key, { tally, revision: 0, room })
        await write(job)
        enqueue(job)
      } catch (error) {
        room.end()
        throw error
      }
      return answerOf(key)
    },
    async read(key, waitMs) {
      const job = jobs.get(key.importId)
      if (job?.userId === key.userId && waitMs > 0) await atMost(clock, waitMs, job.ended.promise)
      return answerOf(key)
    },
    async list(ownerId) {
      const found = await records.list(IMPORT, { ownerId, limit: KEPT_RECORDS * 2 })
      const answers: ImportAnswer[] = []
      for (const { id } of found.toSorted(byNewest)) answers.push(await answerOf({ userId: ownerId, importId: id }))
      return answers
    },
    async cancel(key) {
      await answerOf(key)
      const job = jobs.get(key.importId)
      job?.abort.abort()
      await job?.ended.promise
      return answerOf(key)
    },
    isHidden: (conversationId) => hidden.has(conversationId),
    start: opened.resolve,
    async close() {
      isClosed = true
      for (const { abort } of jobs.values()) abort.abort()
      opened.resolve()
      await Promise.all([...jobs.values()].map(({ ended }) => ended.promise))
    },
  }
}

function byNewest(one: { readonly value: ImportRecord }, other: { readonly value: ImportRecord }): number {
  return other.value.startedAt - one.value.startedAt
}

async function atMost(clock: Clock, limitMs: number, promise: Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const cancel = clock.after(limitMs, limit.resolve)
  await Promise.race([promise, limit.promise])
  cancel()
}

function isFault(error: unknown): boolean {
  return !(error instanceof UnreadableFileError || error instanceof RefusedError || error instanceof StoreWriteError)
}

function problemOf(error: unknown): string {
  if (error instanceof UnreadableFileError || error instanceof RefusedError) return error.message
  if (error instanceof StoreWriteError) return `${error.message}. Import the file again: nothing is doubled`
  return 'The import ended by a fault; the log of the server says which. Import the file again: nothing is doubled'
}
