import { createManualClock } from '@holdfast/engine/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'
import { collectUploads } from '../src/parts/collect-uploads.ts'

const HOUR_MS = 3_600_000
const OWNER = 'user_1'

it('[LOG11] deletes what was uploaded a day ago and never sent, every hour until the server ends', async () => {
  const clock = createManualClock()
  const { store } = createMemoryStore({ clock })
  const upload = async (uploadId: string) => {
    async function* content(): AsyncIterable<Uint8Array> {
      yield new TextEncoder().encode(uploadId)
    }
    await store.putBlob({
      uploadId,
      ownerId: OWNER,
      conversationId: null,
      mediaType: 'text/plain',
      at: clock.now(),
      content: content(),
    })
  }
  const isThere = async (uploadId: string) => (await store.readBlob({ uploadId, ownerId: OWNER })) !== null
  const errors: unknown[] = []
  const stop = collectUploads({ store, clock, onError: (error) => errors.push(error) })
  await upload('first')
  await clock.advance(23 * HOUR_MS)
  expect(await isThere('first')).toBe(true)
  await upload('second')
  await clock.advance(2 * HOUR_MS)
  expect([await isThere('first'), await isThere('second')]).toEqual([false, true])
  stop()
  await clock.advance(48 * HOUR_MS)
  expect([await isThere('second'), clock.waitingCount(), errors]).toEqual([true, 0, []])
})
