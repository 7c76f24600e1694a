import { rm } from 'node:fs/promises'
import { type EntryStore, StoreReadError, StoreWriteError, UPLOAD_KEPT_MS } from '@holdfast/conversation'
import {
  conversationCreated,
  describeBackup,
  describeBlobs,
  describeErasure,
  describeMaintenance,
  fileSent,
  inputAdmitted,
  type OpenStore,
  type StoreHarness,
} from '@holdfast/conversation/testing'
import { createPostgresStore } from '@holdfast/store/postgres'
import { backupSqliteStore, checkSqliteStore, createSqliteStore, restoreSqliteStore } from '@holdfast/store/sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type BucketServer, startBucketServer } from './support/bucket-server.ts'
import type { TestDatabase } from './support/postgres-server.ts'
import { emptied, restoredStore, useNewFiles } from './support/postgres-store.ts'
import { openForSuite, stillClock } from './support/sqlite-harness.ts'
import { systemClock } from './support/system-clock.ts'

let server: BucketServer
beforeAll(async () => {
  server = await startBucketServer()
})
afterAll(() => server.remove())

const newFile = useNewFiles()

async function openOnFolder(dataDir: string): Promise<OpenStore> {
  const { store, records, close } = await createSqliteStore({ dataDir, clock: stillClock, bucket: server.options })
  return {
    store,
    records,
    reopen: async () => {
      await close()
      return openOnFolder(dataDir)
    },
    dispose: async () => {
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function openOnDatabase(database: TestDatabase): Promise<OpenStore> {
  const { connectionString } = database
  const options = { connectionString, clock: systemClock, poolSize: 8, bucket: server.options }
  const { store, records, close } = await createPostgresStore(options)
  return {
    store,
    records,
    reopen: async () => {
      await close()
      return openOnDatabase(database)
    },
    dispose: async () => {
      await close()
      await emptied.giveBack(database)
    },
  }
}

const sqlite: StoreHarness = { open: async () => openOnFolder(await newFile()) }
const postgres: StoreHarness = { open: async () => openOnDatabase(await emptied.take()) }

describe('SQLite with a bucket', () => {
  describeContents(sqlite)
  describeBackup('SQLite with a bucket', {
    ...sqlite,
    newFile,
    restore: async (from) => {
      const dataDir = await newFile()
      await restoreSqliteStore({ from, dataDir, force: false })
      return openForSuite(dataDir)
    },
  })
})

describe('PostgreSQL with a bucket', () => {
  describeContents(postgres)
  describeBackup('PostgreSQL with a bucket', { ...postgres, newFile, restore: restoredStore })
})

const OWNER = 'user_1'
const MANY_BYTES = 9 * 1024 * 1024

function describeContents(harness: StoreHarness): void {
  describeBlobs(harness)
  describeErasure(harness)
  describeMaintenance(harness)

  let open: OpenStore
  const fresh = async (): Promise<EntryStore> => {
    open = await harness.open()
    return open.store
  }
  afterEach(async () => {
    await server.start()
    await open?.dispose()
  })

  it('[LOG32] keeps content in the bucket in pieces, and reads it whole after a restart', async () => {
    const store = await fresh()
    const before = (await server.pieces()).length
    const blob = await put(store, 'upload_1', bytesOf(MANY_BYTES))
    expect((await server.pieces()).length - before).toBe(3)
    await begin(store, 'a', 'upload_1', blob)
    open = await open.reopen()
    expect(Buffer.compare(await read(open.store, 'a', blob.hash), bytesOf(MANY_BYTES))).toBe(0)
  })

  it('[LOG33] removes from the bucket what no entry names any more, and nothing else', async () => {
    const store = await fresh()
    const before = (await server.pieces()).length
    const kept = await put(store, 'upload_1', bytesOf(10))
    const gone = await put(store, 'upload_2', bytesOf(20))
    await begin(store, 'a', 'upload_1', kept)
    await begin(store, 'b', 'upload_2', gone)
    await store.deleteConversation('b', 2_000)
    expect((await server.pieces()).length - before).toBe(1)
    expect(await read(store, 'a', kept.hash)).toEqual(bytesOf(10))
  })

  it('[LOG33] collects old uploads while others are named, and takes nothing that an entry names', async () => {
    const store = await fresh()
    await store.append({ conversationId: 'a', after: 0, entries: [conversationCreated(OWNER)], at: 1_000 })
    const goesOn = { is: true }
    const collecting = (async () => {
      while (goesOn.is) await store.collectBlobs(Number.MAX_SAFE_INTEGER)
    })()
    const named: string[] = []
    let head = 1
    for (let number = 0; number < 30; number++) {
      const blob = await put(store, `upload_${number}`, bytesOf(100 + number)).catch(refusedOrThrow)
      if (blob === null) continue
      try {
        const { entries } = await store.append({
          conversationId: 'a',
          after: head,
          entries: [fileSent('run_1', `upload_${number}`, blob)],
          at: 2_000 + number,
        })
        head += entries.length
        named.push(blob.hash)
      } catch (error) {
        if (!(error instanceof Error && error.name === 'MissingBlobError')) throw error
      }
    }
    goesOn.is = false
    await collecting
    for (const hash of named) expect((await read(store, 'a', hash)).length).toBeGreaterThan(0)
    expect((await store.check(new AbortController().signal)).damages).toEqual([])
  })

  it('[LOG33] removes what was erased while the bucket was away once it is back', async () => {
    const store = await fresh()
    const before = (await server.pieces()).length
    const blob = await put(store, 'upload_1', bytesOf(10))
    await begin(store, 'a', 'upload_1', blob)
    await server.stop()
    await store.deleteConversation('a', 2_000)
    await server.start()
    expect((await server.pieces()).length - before).toBe(1)
    await store.collectBlobs(0)
    expect((await server.pieces()).length - before).toBe(0)
  })

  it('[LOG34] never gives out content that was changed or lost in the bucket, and reports it', async () => {
    const store = await fresh()
    await server.lose()
    const blob = await put(store, 'upload_1', bytesOf(MANY_BYTES))
    await begin(store, 'a', 'upload_1', blob)
    await server.damage()
    await expect(read(store, 'a', blob.hash)).rejects.toThrow(`Blob ${blob.hash} is damaged`)
    expect(await firstPiece(store, 'a', blob.hash)).toBeNull()
    const altered = await store.check(new AbortController().signal)
    expect(altered.damages.map(({ what }) => what).join()).toContain(blob.hash)
    await server.lose()
    await expect(read(store, 'a', blob.hash)).rejects.toThrow(`Blob ${blob.hash} is damaged`)
    const lost = await store.check(new AbortController().signal)
    expect(lost.damages.map(({ what }) => what).join()).toContain(blob.hash)
  })

  it('[LOG35] says that the bucket is away, loses nothing, and goes on when it is back', async () => {
    const store = await fresh()
    const blob = await put(store, 'upload_1', bytesOf(10))
    await begin(store, 'a', 'upload_1', blob)
    await server.stop()
    const failure = await put(store, 'upload_2', bytesOf(20)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreWriteError)
    expect(String(failure)).toMatch(/Bucket "contents" at 127\.0\.0\.1:\d+ cannot be reached/)
    await expect(read(store, 'a', blob.hash)).rejects.toBeInstanceOf(StoreReadError)
    await expect(store.check(new AbortController().signal)).rejects.toThrow('Bucket "contents"')
    const words = await store.append({
      conversationId: 'a',
      after: 2,
      entries: [inputAdmitted('input_1', 'words go on')],
      at: 3_000,
    })
    expect(words.entries).toHaveLength(1)
    await server.start()
    expect(await read(store, 'a', blob.hash)).toEqual(bytesOf(10))
    expect(await put(store, 'upload_2', bytesOf(20))).toMatchObject({ sizeBytes: 20 })
  })
}

describe('a folder whose contents are in a bucket', () => {
  it('[LOG35] is not checked or backed up as if the bucket were not needed', async () => {
    const dataDir = await newFile()
    const { store, dispose } = await openOnFolder(dataDir)
    await put(store, 'upload_1', bytesOf(10))
    const signal = new AbortController().signal
    await expect(checkSqliteStore({ dataDir, signal })).rejects.toThrow('in a bucket, and none is set up')
    await expect(backupSqliteStore({ dataDir, file: await newFile(), signal })).rejects.toThrow('none is set up')
    await dispose()
  })
})

async function put(store: EntryStore, uploadId: string, bytes: Uint8Array) {
  async function* content(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += 300_000) yield bytes.slice(from, from + 300_000)
  }
  const at = UPLOAD_KEPT_MS
  return store.putBlob({
    uploadId,
    ownerId: OWNER,
    conversationId: null,
    mediaType: 'text/plain',
    at,
    content: content(),
  })
}

async function begin(
  store: EntryStore,
  conversationId: string,
  uploadId: string,
  blob: Awaited<ReturnType<typeof put>>,
): Promise<void> {
  const entries = [conversationCreated(OWNER), fileSent('run_1', uploadId, blob)]
  await store.append({ conversationId, after: 0, entries, at: 1_500 })
}

async function read(store: EntryStore, conversationId: string, hash: string): Promise<Uint8Array> {
  const blob = await store.readBlob({ conversationId, hash })
  const pieces: Uint8Array[] = []
  for await (const piece of blob?.content ?? []) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

/** What of a content is given out before its reading fails. */
async function firstPiece(store: EntryStore, conversationId: string, hash: string): Promise<Uint8Array | null> {
  const blob = await store.readBlob({ conversationId, hash })
  try {
    for await (const piece of blob?.content ?? []) return piece
  } catch {
    return null
  }
  return null
}

/** The same bytes for the same length; no two pieces of it are equal. */
function bytesOf(length: number): Uint8Array {
  // Millions of them: `from` with a function takes a second for these.
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + Math.floor(index / 251)) % 256
  return bytes
}

/** An upload that was collected while it came: it may be sent again. */
function refusedOrThrow(error: unknown): null {
  if (error instanceof StoreWriteError && error.code === 'busy') return null
  throw error
}
