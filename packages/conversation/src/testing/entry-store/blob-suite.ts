import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MissingBlobError } from '../../store/store-errors.ts'
import { conversationCreated, fileSent, largeResult, titleChanged } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { appendNext, begin, errorOf, OWNER, readLog } from './appending.ts'
import { inPieces, joined, piecesOf, readText, sha256, upload } from './blobs.ts'
import { ODD_IDS } from './odd-text.ts'

const NOWHERE = { hash: 'f'.repeat(64), sizeBytes: 3, mediaType: 'text/plain' }

/** Bodies outside the log. */
export function describeBlobs(harness: StoreHarness): void {
  describe('blobs', () => {
    const open = useStores(harness)

    it('[LOG11] addresses content by its hash and gives it back byte for byte, also after a restart', async () => {
      const opened = await open()
      let number = 0
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), async (pieces) => {
          const uploadId = `upload_${number++}`
          const content = joined(pieces)
          const about = {
            uploadId,
            ownerId: OWNER,
            conversationId: null,
            mediaType: 'application/octet-stream',
            at: 1_000,
          }
          const reference = await opened.store.putBlob({ ...about, content: inPieces(pieces) })
          expect(reference).toEqual({
            hash: sha256(content),
            sizeBytes: content.length,
            mediaType: 'application/octet-stream',
          })
          const blob = await opened.store.readBlob({ uploadId, ownerId: OWNER })
          expect(blob?.reference).toEqual(reference)
          expect(Array.from(joined(await piecesOf(blob?.content ?? inPieces([]))))).toEqual(Array.from(content))
        }),
        { numRuns: 20 },
      )
      await upload(opened.store, 'upload_last', 'The last words', {})
      const { store } = await opened.reopen()
      expect(await readText(store, { uploadId: 'upload_last', ownerId: OWNER })).toBe('The last words')
    })

    it('[LOG11] reads and writes large content in pieces', async () => {
      const { store } = await open()
      const piece = Uint8Array.from({ length: 64 * 1024 }, (_, index) => (index * 7) % 251)
      const pieces = Array.from({ length: 64 }, () => piece)
      const about = { uploadId: 'upload_1', ownerId: OWNER, conversationId: null, mediaType: 'image/png', at: 1_000 }
      const reference = await store.putBlob({ ...about, content: inPieces(pieces) })
      expect(reference.sizeBytes).toBe(4 * 1024 * 1024)
      const blob = await store.readBlob({ uploadId: 'upload_1', ownerId: OWNER })
      const read = await piecesOf(blob?.content ?? inPieces([]))
      expect(read.length).toBeGreaterThan(3)
      expect(sha256(joined(read))).toBe(reference.hash)
    })

    it('[LOG11] leaves nothing of an upload that broke off', async () => {
      const { store } = await open()
      const broken = async function* () {
        yield new TextEncoder().encode('half')
        throw new Error('The line broke')
      }
      const about = { uploadId: 'upload_1', ownerId: OWNER, conversationId: null, mediaType: 'text/plain', at: 1_000 }
      await expect(store.putBlob({ ...about, content: broken() })).rejects.toThrow('The line broke')
      expect(await store.readBlob({ uploadId: 'upload_1', ownerId: OWNER })).toBeNull()
      expect(await store.collectBlobs(9_000)).toBe(0)
    })

    it('[LOG11] reaches a blob through its upload only for the owner', async () => {
      const { store } = await open()
      await upload(store, 'upload_1', 'mine', {})
      expect(await readText(store, { uploadId: 'upload_1', ownerId: OWNER })).toBe('mine')
      expect(await store.readBlob({ uploadId: 'upload_1', ownerId: 'user_2' })).toBeNull()
      expect(await store.readBlob({ uploadId: 'upload_2', ownerId: OWNER })).toBeNull()
      await upload(store, 'upload_3', 'mine', { ownerId: 'user_2' })
      expect(await store.readBlob({ uploadId: 'upload_1', ownerId: 'user_2' })).toBeNull()
    })

    it('[LOG11] reaches a blob through a conversation only if an entry of it names it', async () => {
      const { store } = await open()
      const blob = await upload(store, 'upload_1', 'attached', {})
      await begin(store, 'a', [])
      await begin(store, 'b', [])
      expect(await store.readBlob({ conversationId: 'a', hash: blob.hash })).toBeNull()
      await appendNext(store, 'a', [fileSent('run_1', 'upload_1', blob)])
      expect(await readText(store, { conversationId: 'a', hash: blob.hash })).toBe('attached')
      expect(await store.readBlob({ conversationId: 'b', hash: blob.hash })).toBeNull()
      expect(await store.readBlob({ conversationId: 'a', hash: 'f'.repeat(64) })).toBeNull()
      expect(await store.readBlob({ conversationId: 'unknown', hash: blob.hash })).toBeNull()
      expect(await readText(store, { uploadId: 'upload_1', ownerId: OWNER })).toBe('attached')
    })

    it('[LOG11] refuses an entry that names a blob which its owner does not have, and writes nothing', async () => {
      const { store } = await open()
      const blob = await upload(store, 'upload_1', 'of another', { ownerId: 'user_2' })
      const before = await begin(store, 'a', [])
      for (const missing of [blob, NOWHERE]) {
        const entries = [titleChanged('Never', 'user'), fileSent('run_1', 'upload_1', missing)]
        const append = store.append({ conversationId: 'a', after: 1, entries, at: 2_000 })
        expect((await errorOf(append, MissingBlobError)).hash).toBe(missing.hash)
      }
      const beginning = [conversationCreated(OWNER), fileSent('run_1', 'upload_1', blob)]
      await errorOf(store.append({ conversationId: 'b', after: 0, entries: beginning, at: 2_000 }), MissingBlobError)
      expect(await readLog(store, 'a')).toEqual(before)
      expect(await readLog(store, 'b')).toEqual([])
      expect(await store.readListing('a')).toMatchObject({ title: null, head: 1 })
    })

    it('[LOG11] keeps the same content of two owners apart', async () => {
      const { store } = await open()
      const mine = await upload(store, 'upload_1', 'the same', {})
      const theirs = await upload(store, 'upload_2', 'the same', { ownerId: 'user_2' })
      expect(mine.hash).toBe(theirs.hash)
      await begin(store, 'a', [fileSent('run_1', 'upload_1', mine)])
      expect(await store.collectBlobs(2_000)).toBe(1)
      expect(await readText(store, { conversationId: 'a', hash: mine.hash })).toBe('the same')
      expect(await store.readBlob({ uploadId: 'upload_2', ownerId: 'user_2' })).toBeNull()
    })

    it('[LOG11] keeps the same content of one owner once', async () => {
      const { store } = await open()
      await upload(store, 'upload_1', 'the same', {})
      await upload(store, 'upload_2', 'the same', {})
      expect(await readText(store, { uploadId: 'upload_1', ownerId: OWNER })).toBe('the same')
      expect(await readText(store, { uploadId: 'upload_2', ownerId: OWNER })).toBe('the same')
      expect(await store.collectBlobs(2_000)).toBe(1)
      expect(await store.readBlob({ uploadId: 'upload_1', ownerId: OWNER })).toBeNull()
      expect(await store.readBlob({ uploadId: 'upload_2', ownerId: OWNER })).toBeNull()
    })

    it('[LOG11] takes the same content eight times at the same time', async () => {
      const { store } = await open()
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
      const references = await Promise.all(numbers.map((number) => upload(store, `upload_${number}`, 'the same', {})))
      expect(new Set(references.map(({ hash }) => hash)).size).toBe(1)
      for (const number of numbers) {
        expect(await readText(store, { uploadId: `upload_${number}`, ownerId: OWNER })).toBe('the same')
      }
      expect(await store.collectBlobs(2_000)).toBe(1)
    })

    it('[LOG11] collects what no entry names and was last uploaded before a time', async () => {
      const { store } = await open()
      const named = await upload(store, 'upload_1', 'named', { at: 1_000 })
      await upload(store, 'upload_2', 'old', { at: 1_000 })
      await upload(store, 'upload_3', 'at the limit', { at: 2_000 })
      await upload(store, 'upload_4', 'uploaded again', { at: 1_000 })
      await upload(store, 'upload_5', 'uploaded again', { at: 2_000 })
      await begin(store, 'a', [largeResult('run_1', 'step_1', { callId: 'call_1', name: 'read', blob: named })])
      expect(await store.collectBlobs(2_000)).toBe(1)
      expect(await store.readBlob({ uploadId: 'upload_2', ownerId: OWNER })).toBeNull()
      expect(await readText(store, { conversationId: 'a', hash: named.hash })).toBe('named')
      expect(await readText(store, { uploadId: 'upload_3', ownerId: OWNER })).toBe('at the limit')
      expect(await readText(store, { uploadId: 'upload_5', ownerId: OWNER })).toBe('uploaded again')
      expect(await store.collectBlobs(2_000)).toBe(0)
      expect(await store.collectBlobs(2_001)).toBe(2)
    })

    it('[LOG11] keeps a blob as long as one entry in any conversation of its owner names it', async () => {
      const opened = await open()
      const blob = await upload(opened.store, 'upload_1', 'shared', {})
      for (const id of ['a', 'b']) {
        await begin(opened.store, id, [fileSent('run_1', 'upload_1', blob), fileSent('run_2', 'upload_1', blob)])
      }
      const { store } = await opened.reopen()
      await store.deleteConversation('a', 9_000)
      expect(await store.collectBlobs(9_000)).toBe(0)
      expect(await store.readBlob({ conversationId: 'a', hash: blob.hash })).toBeNull()
      expect(await readText(store, { conversationId: 'b', hash: blob.hash })).toBe('shared')
      await store.deleteConversation('b', 9_000)
      await store.collectBlobs(9_000)
      expect(await store.readBlob({ uploadId: 'upload_1', ownerId: OWNER })).toBeNull()
    })

    it('[SEC16] says how much is kept, of one owner and of all, each content once', async () => {
      const { store } = await open()
      expect(await store.storedBytes(OWNER)).toEqual({ ofOwner: 0, inAll: 0 })
      await upload(store, 'upload_1', 'four', {})
      await upload(store, 'upload_2', 'four', {})
      await upload(store, 'upload_3', 'and seven', { at: 5_000 })
      await upload(store, 'upload_4', 'four', { ownerId: 'user_2' })
      expect(await store.storedBytes(OWNER)).toEqual({ ofOwner: 13, inAll: 17 })
      expect(await store.storedBytes('user_3')).toEqual({ ofOwner: 0, inAll: 17 })
      await store.collectBlobs(2_000)
      expect(await store.storedBytes(OWNER)).toEqual({ ofOwner: 9, inAll: 9 })
    })

    it('[LOG11] keeps uploads and owners of any letters apart', async () => {
      const { store } = await open()
      for (const id of ODD_IDS) await upload(store, id, `content of ${id}`, { ownerId: `owner ${id}` })
      for (const id of ODD_IDS) {
        expect(await readText(store, { uploadId: id, ownerId: `owner ${id}` })).toBe(`content of ${id}`)
        expect(await store.readBlob({ uploadId: id, ownerId: 'owner' })).toBeNull()
      }
    })
  })
}
