import { scheduler } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import { fileSent } from './entries.ts'
import { begin, inputs, readLog } from './entry-store/appending.ts'
import { readText, upload } from './entry-store/blobs.ts'
import { type OpenStore, type StoreHarness, useStores } from './store-harness.ts'

/** How the suite gets at backups. */
export interface BackupHarness extends StoreHarness {
  /** The path of a file that does not exist, in a folder that does. It is removed when the tests end. */
  newFile(): Promise<string>
  /** Opens a backup as a store of its own. */
  restore(file: string): Promise<OpenStore>
}

/** What a backup of a durable store promises. */
export function describeBackup(name: string, harness: BackupHarness): void {
  describe(`${name} backup`, () => {
    const open = useStores(harness)
    const signal = () => new AbortController().signal

    it('[LOG11] holds everything that was acknowledged before it began, blobs and records included', async () => {
      const { store, records } = await open()
      const blob = await upload(store, 'upload_1', 'attached', {})
      const entries = await begin(store, 'a', [fileSent('run_1', 'upload_1', blob)])
      const row = await store.readListing('a')
      const file = await harness.newFile()
      await store.backup(file, signal())
      await store.append(inputs('a', entries.length, ['after the backup']))
      await expectBackup(harness, file, async (copy) => {
        expect(await readLog(copy.store, 'a')).toEqual(entries)
        expect(await readText(copy.store, { conversationId: 'a', hash: blob.hash })).toBe('attached')
        expect(await copy.store.readListing('a')).toEqual(row)
        expect(await copy.records.changes(0, 10)).toEqual(await records.changes(0, 10))
        expect((await copy.store.check(signal())).damages).toEqual([])
        await copy.store.append(inputs('a', entries.length, ['the copy goes on by itself']))
      })
      expect(await readLog(store, 'a')).toHaveLength(entries.length + 1)
    })

    it('[LOG3] is a state that the store had, while others append', async () => {
      const { store } = await open()
      const acknowledged: Entry[] = [...(await begin(store, 'a', []))]
      const appending = { goesOn: true }
      const writer = (async () => {
        while (appending.goesOn) {
          const { entries } = await store.append(inputs('a', acknowledged.length, ['one', 'two', 'three']))
          acknowledged.push(...entries)
        }
      })()
      const file = await harness.newFile()
      while (acknowledged.length < 30) await scheduler.yield()
      const before = acknowledged.length
      await store.backup(file, signal())
      appending.goesOn = false
      await writer
      await expectBackup(harness, file, async (copy) => {
        const copied = await readLog(copy.store, 'a')
        expect(copied.length).toBeGreaterThanOrEqual(before)
        expect(copied).toEqual(acknowledged.slice(0, copied.length))
        expect(copied.length % 3).toBe(1)
        expect((await copy.store.check(signal())).damages).toEqual([])
      })
    })

    it('[LOG8] refuses a file that exists and leaves it as it is', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const file = await harness.newFile()
      await store.backup(file, signal())
      await begin(store, 'b', [])
      await expect(store.backup(file, signal())).rejects.toThrow(file)
      await expectBackup(harness, file, async (copy) => {
        expect(await readLog(copy.store, 'a')).toHaveLength(1)
        expect(await readLog(copy.store, 'b')).toEqual([])
      })
    })

    it('[LOG8] stops when it is told to and leaves no file behind', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const file = await harness.newFile()
      await expect(store.backup(file, AbortSignal.abort())).rejects.toThrow()
      await store.backup(file, signal())
      await expectBackup(harness, file, async (copy) => expect(await readLog(copy.store, 'a')).toHaveLength(1))
    })
  })
}

async function expectBackup(
  harness: BackupHarness,
  file: string,
  look: (copy: OpenStore) => Promise<void>,
): Promise<void> {
  const copy = await harness.restore(file)
  try {
    await look(copy)
  } finally {
    await copy.dispose()
  }
}
