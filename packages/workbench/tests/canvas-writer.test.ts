import type { NewEntry } from '@holdfast/conversation'
import type { Engine } from '@holdfast/engine'
import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'
import { canvasWriterOf } from '../src/canvas-writer.ts'

const ENGINE = { type: 'engine' } as const
const signal = new AbortController().signal

it('[CANVAS8] finds the file of a name that was sent last, in this conversation alone', async () => {
  const { store } = createMemoryStore({ clock: systemClock })
  const sent = async (name: string): Promise<NewEntry> => {
    const uploadId = `upload_${name}_${++uploads}`
    const owner = { uploadId, ownerId: 'user_1', conversationId: null, mediaType: 'video/mp4', at: 1 }
    const blob = await store.putBlob({
      ...owner,
      content: (async function* () {
        yield new TextEncoder().encode(uploadId)
      })(),
    })
    const content = [{ type: 'file' as const, attachmentId: uploadId, blob, name }]
    return { type: 'user-message-sent', actor: ENGINE, runId: 'run_1', inputId: 'input_1', content }
  }
  let uploads = 0
  for (const [conversationId, names] of [
    ['c1', ['tree.mp4', 'song.mp3', 'tree.mp4']],
    ['c2', ['other.mp4']],
  ] as const) {
    const entries: NewEntry[] = [
      { type: 'conversation-created', actor: ENGINE, ownerId: 'user_1', settings: {}, origin: { type: 'new' } },
    ]
    for (const name of names) entries.push(await sent(name))
    await store.append({ conversationId, after: 0, entries, at: 1 })
  }
  const engine = () => {
    throw new Error('Nothing is drawn')
  }
  const writer = canvasWriterOf({ engine, store }, 'c1')
  expect(await writer.findAttachment('tree.mp4', { signal })).toBe('upload_tree.mp4_3')
  expect(await writer.findAttachment('song.mp3', { signal })).toBe('upload_song.mp3_2')
  for (const none of ['other.mp4', 'tree', '']) expect(await writer.findAttachment(none, { signal })).toBeNull()
})

it('[RUN11, CANVAS1] a call of another step draws, though a provider gave it the same id; the same call draws once', async () => {
  const { store } = createMemoryStore({ clock: systemClock })
  const commandIds: string[] = []
  const changeCanvas: Engine['changeCanvas'] = async ({ commandId }) => {
    commandIds.push(commandId)
    return { elementId: null, version: 1 }
  }
  const writer = canvasWriterOf({ engine: () => ({ changeCanvas }), store }, 'c1')
  const wish = { type: 'remove', elementId: 'card-1' } as const
  for (const stepId of ['step_1', 'step_1', 'step_2']) await writer.change(wish, { callId: 'call_0', stepId, signal })
  expect(commandIds[1]).toBe(commandIds[0])
  expect(commandIds[2]).not.toBe(commandIds[0])
})
