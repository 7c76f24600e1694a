import { describe, expect, it } from 'vitest'
import type { NewEntry } from '../../entry.ts'
import { ErasureRefusedError } from '../../erasure-refused-error.ts'
import { listing, toListing } from '../../projections/listing.ts'
import { parseSearchQuery } from '../../search-text.ts'
import { UPLOAD_KEPT_MS } from '../../store/blob-store.ts'
import type { EntryStore } from '../../store/entry-store.ts'
import { AppendConflictError } from '../../store/store-errors.ts'
import {
  checkpointMade,
  fileSent,
  largeResult,
  stepFinished,
  textBlock,
  titleChanged,
  usageRecorded,
  userMessageSent,
  wholeTurn,
} from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { appendNext, begin, errorOf, inputs, OWNER, readLog } from './appending.ts'
import { readText, upload } from './blobs.ts'

const ERASED = { reason: 'asked for by the person', at: 9_000 }

/** Erasing what was said, and deleting conversations. */
export function describeErasure(harness: StoreHarness): void {
  describe('erasure', () => {
    const open = useStores(harness)

    it('[LOG9] puts a tombstone with reason and time at the place of each erased entry, also after a restart', async () => {
      const opened = await open()
      const before = await begin(opened.store, 'a', [
        said('input_1', 'a secret'),
        said('input_2', 'no secret'),
        said('input_3', 'another secret'),
      ])
      const erased = await opened.store.erase({ conversationId: 'a', seqs: [4, 2], ...ERASED })
      expect(erased).toMatchObject(
        [2, 4].map((seq) => ({
          conversationId: 'a',
          seq,
          at: 1_000,
          type: 'body-erased',
          erasedType: 'user-message-sent',
          reason: ERASED.reason,
          erasedAt: ERASED.at,
        })),
      )
      const { store } = await opened.reopen()
      const after = await readLog(store, 'a')
      expect(after).toEqual([before[0], erased[0], before[2], erased[1]])
      expect(JSON.stringify(after)).not.toContain('a secret')
      expect(await store.read({ conversationId: 'a', before: 3, limit: 1 })).toEqual({ entries: [erased[0]], head: 4 })
    })

    it('[LOG9] goes on as a log after an erasure', async () => {
      const { store } = await open()
      await begin(store, 'a', [said('input_4', 'a secret')])
      await store.erase({ conversationId: 'a', seqs: [2], ...ERASED })
      const { entries } = await store.append(inputs('a', 2, ['and on']))
      expect(entries).toMatchObject([{ seq: 3 }])
      expect(await readLog(store, 'a')).toHaveLength(3)
    })

    it('[LOG9] no longer finds or lists what was erased', async () => {
      const { store } = await open()
      await begin(store, 'a', [
        said('input_5', 'a secret'),
        titleChanged('Secret plans', 'auto'),
        said('input_6', 'harmless'),
      ])
      expect(await countFound(store, 'secret ')).toBe(2)
      await store.erase({ conversationId: 'a', seqs: [2, 3], ...ERASED })
      expect(await countFound(store, 'secret ')).toBe(0)
      expect(await countFound(store, 'harmless ')).toBe(1)
      const row = toListing(listing.reduce(listing.initial, await readLog(store, 'a')))
      expect(row.title).toBeNull()
      expect(await store.readListing('a')).toEqual(row)
      await store.reindex('a')
      expect(await countFound(store, 'secret ')).toBe(0)
      expect(await store.readListing('a')).toEqual(row)
    })

    it('[LOG9] drops the snapshots of the conversation and of no other', async () => {
      const { store } = await open()
      const snapshot = { projection: 'transcript', version: 1, cursor: 2, state: 'a secret' }
      for (const id of ['a', 'b']) {
        await begin(store, id, [said('input_7', 'a secret')])
        await store.writeSnapshots(id, [snapshot])
      }
      await store.erase({ conversationId: 'a', seqs: [2], ...ERASED })
      expect(await store.readSnapshots('a')).toEqual([])
      expect(await store.readSnapshots('b')).toEqual([snapshot])
    })

    it('[LOG9] drops the draft of an erased step and keeps that of an open one', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const lease = await store.acquireLease({ conversationId: 'a', holder: 'writer', ttlMs: 60_000 })
      await store.appendDrafts(
        ['step_1', 'step_2'].map((stepId) => ({
          conversationId: 'a',
          runId: 'run_1',
          stepId,
          startedSeq: 3,
          epoch: lease?.epoch ?? 0,
          deltas: [{ stepId, block: 0, offset: 0, text: 'a secret', start: { type: 'text' as const } }],
        })),
      )
      await appendNext(store, 'a', [stepFinished('run_1', 'step_1', [textBlock('a secret')])])
      await store.erase({ conversationId: 'a', seqs: [2], ...ERASED })
      expect(await store.readDrafts('a')).toMatchObject([{ stepId: 'step_2' }])
    })

    it('[LOG9] erases the checkpoints that cover an erased entry, and those made from them', async () => {
      const { store } = await open()
      await begin(store, 'a', [
        said('input_8', 'a secret'),
        said('input_9', 'harmless'),
        checkpointMade({ fromSeq: 1, toSeq: 2 }, 'There is a secret'),
        checkpointMade({ fromSeq: 3, toSeq: 3 }, 'Harmless'),
        checkpointMade({ fromSeq: 3, toSeq: 4 }, 'Still a secret'),
      ])
      const erased = await store.erase({ conversationId: 'a', seqs: [2], ...ERASED })
      expect(erased.map(({ seq }) => seq)).toEqual([2, 4, 6])
      expect(await countFound(store, 'secret ')).toBe(0)
      expect((await readLog(store, 'a'))[4]).toMatchObject({ type: 'checkpoint-made', summary: 'Harmless' })
    })

    it('[LOG9] erases the copies that other entries hold of the same words', async () => {
      const { store } = await open()
      const turn = wholeTurn(1, { asked: 'a secret question', answered: 'a secret answer' })
      const entries = await begin(store, 'a', [...turn, ...wholeTurn(2, { asked: 'harmless', answered: 'harmless' })])
      const sent = entries.find(({ type }) => type === 'user-message-sent')
      const erased = await store.erase({ conversationId: 'a', seqs: [sent?.seq ?? 0], ...ERASED })
      expect(erased.map(({ seq }) => seq)).toEqual([2, 4])
      expect(erased.map((entry) => (entry.type === 'body-erased' ? entry.erasedType : ''))).toEqual([
        'input-admitted',
        'user-message-sent',
      ])
      expect(JSON.stringify(await readLog(store, 'a'))).not.toContain('secret question')
      expect(JSON.stringify(await readLog(store, 'a'))).toContain('secret answer')
      expect(await store.readListing('a')).toMatchObject({ messageCount: 4, queuedCount: 0, state: 'idle' })
    })

    it('[LOG9, CANVAS6] erases what a person gave on the canvas with its message, and says who did and what went', async () => {
      const { store } = await open()
      const person = { type: 'person', userId: OWNER } as const
      const content = [{ type: 'canvas' as const, elementId: 'form-1', answer: { name: 'a secret' } }]
      await begin(store, 'a', [
        {
          type: 'canvas-changed',
          actor: person,
          agentId: 'default',
          version: 1,
          operations: [{ type: 'answer-form', elementId: 'form-1', values: { name: 'a secret' } }],
        },
        { type: 'context-noted', actor: { type: 'engine' }, section: 'canvas', text: 'answered: a secret' },
        { type: 'user-message-sent', actor: person, runId: 'run_1', inputId: 'input_1', content },
        said('input_2', 'harmless'),
      ])
      const erased = await store.erase({ conversationId: 'a', seqs: [4], by: person, ...ERASED })
      expect(erased.map(({ seq }) => seq)).toEqual([2, 3, 4])
      const receipt = {
        erasedBy: person,
        erasedAt: ERASED.at,
        reason: ERASED.reason,
        together: { 'canvas-changed': 1, 'context-noted': 1, 'user-message-sent': 1 },
      }
      for (const entry of await readLog(store, 'a'))
        if (entry.seq > 1 && entry.seq < 5) expect(entry).toMatchObject(receipt)
      expect(JSON.stringify(await readLog(store, 'a'))).not.toContain('a secret')
    })

    it('[LOG9] deletes a blob with the last entry that named it', async () => {
      const { store } = await open()
      const shared = await upload(store, 'upload_1', 'shared', {})
      const own = await upload(store, 'upload_2', 'own', {})
      await begin(store, 'a', [fileSent('run_1', 'upload_1', shared), fileSent('run_2', 'upload_2', own)])
      await begin(store, 'b', [fileSent('run_1', 'upload_1', shared)])
      await store.erase({ conversationId: 'a', seqs: [2, 3], ...ERASED })
      expect(await store.readBlob({ conversationId: 'a', hash: own.hash })).toBeNull()
      expect(await store.readBlob({ uploadId: 'upload_2', ownerId: OWNER })).toBeNull()
      expect(await store.readBlob({ conversationId: 'a', hash: shared.hash })).toBeNull()
      expect(await readText(store, { conversationId: 'b', hash: shared.hash })).toBe('shared')
    })

    it('[LOG13] keeps what was uploaded again and waits to be sent when the first is erased or deleted', async () => {
      for (const way of ['erased', 'deleted'] as const) {
        const opened = await open()
        const blob = await upload(opened.store, 'upload_1', 'the same file', {})
        await begin(opened.store, 'a', [fileSent('run_1', 'upload_1', blob)])
        await upload(opened.store, 'upload_2', 'the same file', { at: 8_000 })
        await dropA(opened.store, way, 9_000)
        expect(await opened.store.readBlob({ conversationId: 'a', hash: blob.hash })).toBeNull()
        const { store } = await opened.reopen()
        expect(await readText(store, { uploadId: 'upload_2', ownerId: OWNER })).toBe('the same file')
        await begin(store, 'b', [fileSent('run_1', 'upload_2', blob)])
        expect(await readText(store, { conversationId: 'b', hash: blob.hash })).toBe('the same file')
        await store.erase({ conversationId: 'b', seqs: [2], ...ERASED })
        expect(await store.readBlob({ uploadId: 'upload_2', ownerId: OWNER })).toBeNull()
        expect(await store.collectBlobs(Number.MAX_SAFE_INTEGER)).toBe(0)
      }
    })

    it('[LOG13] keeps what a tool of another conversation has kept and is about to name, and not longer than that', async () => {
      for (const way of ['erased', 'deleted'] as const) {
        const { store } = await open()
        const blob = await upload(store, 'upload_1', 'what stood there', { conversationId: 'a' })
        await begin(store, 'a', [largeResult('run_1', 'step_1', { callId: 'call_1', name: 'edit', blob })])
        await begin(store, 'b', [])
        await upload(store, 'upload_2', 'what stood there', { conversationId: 'b', at: 8_000 })
        await dropA(store, way, 9_000)
        await appendNext(store, 'b', [largeResult('run_1', 'step_1', { callId: 'call_1', name: 'edit', blob })])
        expect(await readText(store, { conversationId: 'b', hash: blob.hash })).toBe('what stood there')
        await store.deleteConversation('b', 9_001)
        expect(await store.readBlob({ uploadId: 'upload_2', ownerId: OWNER })).toBeNull()
        expect(await store.collectBlobs(Number.MAX_SAFE_INTEGER)).toBe(0)
      }
    })

    it('[LOG9, LOG13] keeps no blob for an upload that was used, is a day old, or was made for what goes', async () => {
      for (const way of ['erased', 'deleted'] as const) {
        const { store } = await open()
        const blob = await upload(store, 'upload_1', 'a secret file', { at: 1_000 })
        await begin(store, 'a', [fileSent('run_1', 'upload_1', blob)])
        await upload(store, 'upload_2', 'a secret file', { at: 1_000 })
        await upload(store, 'upload_3', 'a secret file', { at: 2_000 + UPLOAD_KEPT_MS, conversationId: 'a' })
        await dropA(store, way, 2_000 + UPLOAD_KEPT_MS)
        for (const uploadId of ['upload_1', 'upload_2', 'upload_3'])
          expect(await store.readBlob({ uploadId, ownerId: OWNER })).toBeNull()
        expect(await store.collectBlobs(Number.MAX_SAFE_INTEGER)).toBe(0)
      }
    })

    it('[LOG13] uses an upload by its id once, whatever an append that was refused has named', async () => {
      const { store } = await open()
      const blob = await upload(store, 'upload_1', 'a file', {})
      await upload(store, 'upload_2', 'a file', { at: 8_000 })
      await begin(store, 'a', [fileSent('run_1', 'upload_1', blob)])
      const late = { conversationId: 'a', after: 1, entries: [fileSent('run_1', 'upload_2', blob)], at: 8_000 }
      await errorOf(store.append(late), AppendConflictError)
      await store.deleteConversation('a', 9_000)
      expect(await readText(store, { uploadId: 'upload_2', ownerId: OWNER })).toBe('a file')
    })

    it('[LOG9] answers a repeated command with the tombstone', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const append = { ...inputs('a', 1, ['a secret']), command: { commandId: 'command_1', fingerprint: 'f' } }
      await store.append(append)
      const erased = await store.erase({ conversationId: 'a', seqs: [2], ...ERASED })
      expect(await store.append(append)).toEqual({ entries: erased, repeated: true })
    })

    it('[LOG9] refuses to erase figures and what does not exist, and erases nothing then', async () => {
      const { store } = await open()
      const before = await begin(store, 'a', [
        said('input_10', 'a secret'),
        usageRecorded('run_1', 'step_1', { input: 3, output: 5 }),
      ])
      for (const seq of [1, 3, 4, 0, -1]) {
        const refused = await errorOf(
          store.erase({ conversationId: 'a', seqs: [2, seq], ...ERASED }),
          ErasureRefusedError,
        )
        expect(refused.seq).toBe(seq)
      }
      await errorOf(store.erase({ conversationId: 'unknown', seqs: [1], ...ERASED }), ErasureRefusedError)
      expect(await readLog(store, 'a')).toEqual(before)
      expect(await countFound(store, 'secret ')).toBe(1)
    })

    it('[LOG9] deletes a conversation with all that belongs to it, also after a restart', async () => {
      const opened = await open()
      for (const id of ['a', 'b']) await filled(opened.store, id)
      await opened.store.deleteConversation('a', 9_000)
      await expectOnlyB(opened.store)
      await expectOnlyB((await opened.reopen()).store)
    })

    it('[LOG9] keeps what a deleted conversation cost', async () => {
      const opened = await open()
      await filled(opened.store, 'a')
      const before = await opened.store.readUsage({ ownerId: OWNER, from: 0, to: 9_000, limit: 10 })
      expect(before).toMatchObject([{ type: 'usage-recorded', conversationId: 'a', inputTokens: 100 }])
      await opened.store.deleteConversation('a', 9_000)
      const { store } = await opened.reopen()
      expect(await store.readUsage({ ownerId: OWNER, from: 0, to: 9_000, limit: 10 })).toEqual(before)
    })

    it('[LOG9] deletes what does not exist without a word', async () => {
      const { store } = await open()
      await filled(store, 'a')
      await store.deleteConversation('unknown', 9_000)
      expect(await readLog(store, 'a')).toHaveLength(8)
    })
  })
}

/** Takes away what conversation `a` says in its second entry, or all of it. */
async function dropA(store: EntryStore, way: 'erased' | 'deleted', at: number): Promise<void> {
  if (way === 'deleted') await store.deleteConversation('a', at)
  else await store.erase({ conversationId: 'a', seqs: [2], reason: ERASED.reason, at })
}

function said(inputId: string, text: string): NewEntry {
  return userMessageSent('run_1', inputId, text)
}

async function countFound(store: EntryStore, typed: string): Promise<number> {
  return (await store.search({ ownerId: OWNER, query: parseSearchQuery(typed), limit: 10 })).length
}

/** A conversation with something of everything that belongs to one. */
async function filled(store: EntryStore, conversationId: string): Promise<void> {
  await begin(store, conversationId, wholeTurn(1, { asked: 'How do tides work?', answered: 'Slowly.' }))
  await store.writeSnapshots(conversationId, [{ projection: 'title', version: 1, cursor: 1, state: null }])
  const lease = await store.acquireLease({ conversationId, holder: 'writer', ttlMs: 0 })
  const deltas = [{ stepId: 'step_2', block: 0, offset: 0, text: 'draft', start: { type: 'text' as const } }]
  await store.appendDrafts([
    { conversationId, runId: 'run_1', stepId: 'step_2', startedSeq: 99, epoch: lease?.epoch ?? 0, deltas },
  ])
}

/** What is left of the filled conversations `a` and `b` when `a` was deleted. */
async function expectOnlyB(store: EntryStore): Promise<void> {
  expect(await store.read({ conversationId: 'a', after: 0, limit: 10 })).toEqual({ entries: [], head: 0 })
  expect(await store.readListing('a')).toBeNull()
  expect(await store.readDrafts('a')).toEqual([])
  expect(await store.readSnapshots('a')).toEqual([])
  const rows = [
    await store.expiredLeases(10),
    await store.listConversations({ ownerId: OWNER, archived: false, limit: 10 }),
    await store.search({ ownerId: OWNER, query: parseSearchQuery('tides '), limit: 10 }),
  ]
  for (const found of rows) expect(found.map(({ conversationId }) => conversationId)).toEqual(['b'])
  expect(await store.readDrafts('b')).toHaveLength(1)
  expect(await store.readSnapshots('b')).toHaveLength(1)
}
