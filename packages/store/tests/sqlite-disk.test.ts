import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { StoreWriteError } from '@holdfast/conversation'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { storeFiles } from '../src/sqlite/files/files.ts'
import { appendOf, failureOf, newFolder, openForTest, readLog, writeLog } from './support/sqlite-harness.ts'

/** Whether this process may mount file systems of its own. */
const MAY_MOUNT = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

describe('the SQLite store on a disk that refuses', () => {
  it('[LOG8] refuses what does not fit, keeps what it acknowledged, and goes on when there is room', async () => {
    const dataDir = await newFolder()
    const { store, records, limitPages, close } = await openForTest(dataDir)
    await writeLog(store, 'a', 20)
    await limitPages(1)
    const large = 'x'.repeat(1_000_000)
    const writes = [
      store.append(appendOf('a', 20, large)),
      store.append(appendOf('b', 0)).then(() => store.append(appendOf('b', 1, large))),
      records.put(memo, { ownerId: 'user_1', id: 'a', revision: 0, value: large, at: 1 }),
      store.putBlob({ ...upload, content: piecesOf(large) }),
    ]
    for (const refused of await Promise.all(writes.map(failureOf))) {
      expect(refused).toBeInstanceOf(StoreWriteError)
      expect(refused).toMatchObject({ code: 'disk-full' })
      expect(refused.message).toContain(storeFiles(dataDir).database)
    }
    expect(await readLog(store, 'a')).toHaveLength(20)
    expect(await store.readListing('a')).toMatchObject({ head: 20 })
    expect(await store.readBlob({ uploadId: 'upload_1', ownerId: 'user_1' })).toBeNull()

    await limitPages(1_000_000)
    await store.append(appendOf('a', 20, large))
    expect((await store.putBlob({ ...upload, content: piecesOf(large) })).sizeBytes).toBe(1_000_000)
    await close()
    expect(await readLog((await openForTest(dataDir)).store, 'a')).toHaveLength(21)
  })

  it('[LOG23] remembers no lease and no step of a transaction that the disk refused', async () => {
    const { store, limitPages } = await openForTest(await newFolder())
    await writeLog(store, 'a', 3)
    const large = 'x'.repeat(1_000_000)
    const chunk = (text: string) => {
      const deltas = [{ stepId: 'step_1', block: 0, offset: 0, text }]
      return { conversationId: 'a', runId: 'run_1', stepId: 'step_1', startedSeq: 99, epoch: 1, deltas }
    }
    await limitPages(1)
    // Both are in one transaction.
    const together = [
      store.acquireLease({ conversationId: 'a', holder: 'first', ttlMs: 60_000 }),
      store.append(appendOf('a', 3, large)),
    ]
    for (const refused of await Promise.all(together.map(failureOf)))
      expect(refused).toMatchObject({ code: 'disk-full' })
    expect(await store.appendDrafts([chunk('of no lease')])).toEqual(['a'])
    expect(await store.acquireLease({ conversationId: 'a', holder: 'second', ttlMs: 60_000 })).toMatchObject({
      epoch: 1,
    })
    expect(await failureOf(store.appendDrafts([chunk(large)]))).toMatchObject({ code: 'disk-full' })
    await limitPages(1_000_000)
    expect(await store.appendDrafts([chunk('kept')])).toEqual([])
    expect(await store.readDrafts('a')).toMatchObject([{ stepId: 'step_1', deltas: [{ text: 'kept' }] }])
  })

  it('[LOG8] refuses what another process keeps it from writing, and goes on by itself afterwards', async () => {
    const dataDir = await newFolder()
    const { store } = await openForTest(dataDir, { busyTimeoutMs: 50 })
    await writeLog(store, 'a', 3)
    const other = new Database(storeFiles(dataDir).database, { timeout: 1_000 })
    other.exec('BEGIN IMMEDIATE')
    const refused = await failureOf(store.append(appendOf('a', 3)))
    expect(refused).toBeInstanceOf(StoreWriteError)
    expect(refused).toMatchObject({ code: 'busy' })
    expect(await readLog(store, 'a')).toHaveLength(3)
    other.exec('ROLLBACK')
    other.close()
    await store.append(appendOf('a', 3))
    expect(await readLog(store, 'a')).toHaveLength(4)
  })

  it.runIf(MAY_MOUNT)(
    '[LOG8] loses nothing on a real disk that fills up, and goes on when space is freed',
    async () => {
      const report = await inMountNamespace('full-disk.ts', 'mount -t tmpfs -o size=20m tmpfs "$1"')
      expect(report).toMatchObject({ refusals: ['disk-full'], lost: 0, wentOn: true, damages: [] })
      expect(report.acknowledged).toBeGreaterThan(20)
    },
  )

  it.runIf(MAY_MOUNT)('[LOG8] says that a disk is read-only, and loses nothing', async () => {
    const report = await inMountNamespace('read-only-disk.ts', 'mount -t tmpfs -o size=20m tmpfs "$1"')
    expect(report).toMatchObject({ openedReadOnly: 'not-writable', lost: 0 })
  })
})

const memo = { kind: 'memo', schema: z.string() }
const upload = { uploadId: 'upload_1', ownerId: 'user_1', conversationId: null, mediaType: 'text/plain', at: 1_000 }

async function* piecesOf(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** Runs a program in a mount namespace of its own, on a file system that `mount` makes at `$1`. */
async function inMountNamespace(
  file: string,
  mount: string,
): Promise<Record<string, unknown> & { acknowledged?: number }> {
  const folder = await newFolder()
  const program = join(import.meta.dirname, 'support', file)
  const script = `${mount} && exec "$2" --conditions=@holdfast/source "$3" "$1"`
  const run = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', folder, process.execPath, program], {
    encoding: 'utf8',
    timeout: 25_000,
  })
  expect(run.stderr).toBe('')
  return JSON.parse(run.stdout)
}
