import type { NewEntry } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'
import { findResultIn } from '../src/find-result.ts'

const ENGINE = { type: 'engine' } as const
const signal = new AbortController().signal

async function open() {
  const { store } = createMemoryStore({ clock: systemClock })
  const content = new TextEncoder().encode('the whole of it')
  const blob = await store.putBlob({
    uploadId: 'upload_1',
    ownerId: 'user_1',
    conversationId: null,
    mediaType: 'text/plain',
    at: 1,
    content: (async function* () {
      yield content
    })(),
  })
  const settled = (callId: string, more: object): NewEntry => ({
    type: 'tool-call-settled',
    actor: ENGINE,
    runId: 'run_1',
    stepId: 'step_1',
    callId,
    name: 'read',
    outcome: 'ok',
    content: [{ type: 'text', text: 'an excerpt' }],
    durationMs: 1,
    ...more,
  })
  for (const [conversationId, entries] of [
    ['c1', [settled('large', { blob }), settled('small', {})]],
    ['c2', [settled('other', {})]],
  ] as const) {
    const created: NewEntry = {
      type: 'conversation-created',
      actor: ENGINE,
      ownerId: 'user_1',
      settings: {},
      origin: { type: 'new' },
    }
    const said: NewEntry = {
      type: 'user-message-sent',
      actor: ENGINE,
      runId: 'run_1',
      inputId: 'input_1',
      content: [{ type: 'text', text: 'a long question' }],
    }
    // More than two pages stand between the calls and the end of the log.
    const filler = Array.from({ length: 1_100 }, (): NewEntry => ({ type: 'conversation-restored', actor: ENGINE }))
    await store.append({ conversationId, after: 0, entries: [created, said, ...entries, ...filler], at: 1 })
  }
  return store
}

type Reference = Parameters<ReturnType<typeof findResultIn>>[0]

async function read(conversationId: string, reference: Reference) {
  return readFrom(await open(), conversationId, reference)
}

async function readFrom(store: Awaited<ReturnType<typeof open>>, conversationId: string, reference: Reference) {
  const found = await findResultIn(store, conversationId)(reference, { signal })
  if (!found) return null
  const pieces: Uint8Array[] = []
  for await (const piece of found.content) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

it('[WIN6] finds the whole of a result, however far back its call is', async () => {
  expect(await read('c1', { type: 'call', callId: 'large' })).toBe('the whole of it')
  expect(await read('c1', { type: 'call', callId: 'small' })).toBe('an excerpt')
  expect(await read('c1', { type: 'entry', seq: 2 })).toBe('a long question')
})

it('[TOOL10] finds the mark of a result that a person left out, and no word of it', async () => {
  const store = await open()
  const { head } = await store.read({ conversationId: 'c1', after: 0, limit: 1 })
  const exclude = (isExcluded: boolean): NewEntry => {
    return { type: 'exclusion-changed', actor: ENGINE, resultSeq: 3, isExcluded }
  }
  await store.append({ conversationId: 'c1', after: head, entries: [exclude(true)], at: 1 })
  expect(await readFrom(store, 'c1', { type: 'call', callId: 'large' })).toContain('left this result out')
  expect(await readFrom(store, 'c1', { type: 'call', callId: 'small' })).toBe('an excerpt')
  await store.append({ conversationId: 'c1', after: head + 1, entries: [exclude(false)], at: 1 })
  expect(await readFrom(store, 'c1', { type: 'call', callId: 'large' })).toBe('the whole of it')
})

it('[WIN6, LOG11] finds nothing of another conversation, nor what is no text of a person', async () => {
  expect(await read('c2', { type: 'call', callId: 'large' })).toBeNull()
  expect(await read('c1', { type: 'call', callId: 'other' })).toBeNull()
  expect(await read('c1', { type: 'entry', seq: 1 })).toBeNull()
  expect(await read('c1', { type: 'entry', seq: 90_000 })).toBeNull()
  expect(await read('missing', { type: 'call', callId: 'large' })).toBeNull()
})
