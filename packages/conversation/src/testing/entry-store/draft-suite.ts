import { describe, expect, it } from 'vitest'
import { applyDelta, type Draft, type DraftDelta, emptyDraft } from '../../draft.ts'
import type { DraftChunk } from '../../store/draft-store.ts'
import type { EntryStore } from '../../store/entry-store.ts'
import { AppendConflictError } from '../../store/store-errors.ts'
import { runStarted, stepFinished, stepStarted, textBlock } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { begin, errorOf } from './appending.ts'
import { ODD_IDS, ODD_TEXTS } from './odd-text.ts'

/** Open steps, kept while they stream. */
export function describeDrafts(harness: StoreHarness): void {
  describe('drafts', () => {
    const open = useStores(harness)

    it('[RUN3] gives back the deltas of an open step in the order of writing, also after a restart', async () => {
      const opened = await open()
      const epoch = await running(opened.store, 'a')
      const deltas = textDeltas('step_1', ['Once ', 'upon ', 'a ', 'time'])
      for (const delta of deltas)
        expect(await opened.store.appendDrafts([chunk('a', 'step_1', epoch, [delta])])).toEqual([])
      expect(await opened.store.readDrafts('a')).toEqual([{ runId: 'run_1', stepId: 'step_1', deltas }])
      const { store } = await opened.reopen()
      const [draft] = await store.readDrafts('a')
      expect(draft?.deltas).toEqual(deltas)
      expect(folded('step_1', draft?.deltas ?? []).blocks[0]?.text).toBe('Once upon a time')
    })

    it('[RUN3] writes the chunks of several conversations and steps in one call', async () => {
      const { store } = await open()
      const epochs = { a: await running(store, 'a'), b: await running(store, 'b') }
      const chunks = [
        chunk('a', 'step_1', epochs.a, textDeltas('step_1', ['one', 'two'])),
        chunk('b', 'step_1', epochs.b, textDeltas('step_1', ['three'])),
        chunk('a', 'step_2', epochs.a, textDeltas('step_2', ['four'])),
      ]
      expect(await store.appendDrafts(chunks)).toEqual([])
      expect(await store.readDrafts('a')).toEqual([
        { runId: 'run_1', stepId: 'step_1', deltas: chunks[0]?.deltas },
        { runId: 'run_1', stepId: 'step_2', deltas: chunks[2]?.deltas },
      ])
      expect(await store.readDrafts('b')).toMatchObject([{ stepId: 'step_1', deltas: chunks[1]?.deltas }])
      expect(await store.readDrafts('c')).toEqual([])
    })

    it('[LOG10] leaves out a chunk whose epoch is over, says whose it was, and writes the others', async () => {
      const { store } = await open()
      const stale = await running(store, 'a')
      const epoch = await running(store, 'b')
      await store.acquireLease({ conversationId: 'a', holder: 'other', ttlMs: 60_000 })
      const late = chunk('a', 'step_1', stale, textDeltas('step_1', ['late']))
      const good = chunk('b', 'step_1', epoch, textDeltas('step_1', ['good']))
      expect(await store.appendDrafts([late, good])).toEqual(['a'])
      expect(await store.readDrafts('a')).toEqual([])
      expect(await store.readDrafts('b')).toMatchObject([{ deltas: good.deltas }])
    })

    it('[RUN3] drops the draft in the append that closes its step, and no other', async () => {
      const { store } = await open()
      const epoch = await running(store, 'a')
      await store.appendDrafts([
        chunk('a', 'step_1', epoch, textDeltas('step_1', ['done'])),
        chunk('a', 'step_2', epoch, textDeltas('step_2', ['open'])),
      ])
      await store.append({
        conversationId: 'a',
        after: 3,
        entries: [stepFinished('run_1', 'step_1', [textBlock('done')])],
        at: 2_000,
        epoch,
        dropDraft: 'step_1',
      })
      expect(await store.readDrafts('a')).toMatchObject([{ stepId: 'step_2' }])
    })

    it('[SCALE21] keeps nothing of a step that has ended, however late it comes, and all of the next one', async () => {
      const opened = await open()
      const { store } = opened
      const epoch = await running(store, 'a')
      const late = chunk('a', 'step_1', epoch, textDeltas('step_1', ['late']))
      const entries = [stepFinished('run_1', 'step_1', []), stepStarted('run_1', 'step_2', 'turn')]
      const [ended, begun] = [entries.slice(0, 1), entries.slice(1)]
      // What never had a draft is closed as well: the first write of the step may be the late one.
      await store.append({ conversationId: 'a', after: 3, entries: ended, at: 2_000, epoch, dropDraft: 'step_1' })
      expect(await store.appendDrafts([late])).toEqual(['a'])
      await store.append({ conversationId: 'a', after: 4, entries: begun, at: 2_000, epoch })
      const next = { ...chunk('a', 'step_2', epoch, textDeltas('step_2', ['next'])), startedSeq: 5 }
      expect(await store.appendDrafts([next])).toEqual([])
      expect(await store.appendDrafts([late])).toEqual(['a'])
      expect(await store.readDrafts('a')).toEqual([{ runId: 'run_1', stepId: 'step_2', deltas: next.deltas }])
      const { store: again } = await opened.reopen()
      expect(await again.appendDrafts([late])).toEqual(['a'])
      expect(await again.readDrafts('a')).toMatchObject([{ stepId: 'step_2' }])
      await again.releaseLease({ conversationId: 'a', epoch })
      const renewed = await again.acquireLease({ conversationId: 'a', holder: 'writer', ttlMs: 0 })
      expect(await again.appendDrafts([{ ...late, epoch: renewed?.epoch ?? 0 }])).toEqual(['a'])
    })

    it('[SCALE21] takes the draft of the first step of a conversation that began anew under an id that was deleted', async () => {
      const { store } = await open()
      const epoch = await running(store, 'a')
      const entries = [stepFinished('run_1', 'step_1', [])]
      await store.append({ conversationId: 'a', after: 3, entries, at: 2_000, epoch, dropDraft: 'step_1' })
      await store.deleteConversation('a', 2_000)
      const anew = await running(store, 'a')
      expect(await store.appendDrafts([chunk('a', 'step_1', anew, textDeltas('step_1', ['anew']))])).toEqual([])
    })

    it('[LOG3] keeps the draft when the append that would drop it is refused', async () => {
      const opened = await open()
      const epoch = await running(opened.store, 'a')
      const deltas = textDeltas('step_1', ['kept'])
      await opened.store.appendDrafts([chunk('a', 'step_1', epoch, deltas)])
      const entries = [stepFinished('run_1', 'step_1', [textBlock('kept')])]
      const late = { conversationId: 'a', after: 1, entries, at: 2_000, epoch, dropDraft: 'step_1' }
      await errorOf(opened.store.append(late), AppendConflictError)
      const { store } = await opened.reopen()
      expect(await store.readDrafts('a')).toEqual([{ runId: 'run_1', stepId: 'step_1', deltas }])
      // What was refused has ended nothing.
      expect(await store.appendDrafts([chunk('a', 'step_1', epoch, deltas)])).toEqual([])
    })

    it('[RUN3] keeps any text and ids of any letters', async () => {
      const opened = await open()
      const epoch = await running(opened.store, 'a')
      const deltas = ODD_IDS.flatMap((stepId) => textDeltas(stepId, ODD_TEXTS.slice(0, -2)))
      await opened.store.appendDrafts(
        ODD_IDS.map((stepId) =>
          chunk(
            'a',
            stepId,
            epoch,
            deltas.filter((delta) => delta.stepId === stepId),
          ),
        ),
      )
      const { store } = await opened.reopen()
      const read = (await store.readDrafts('a')).flatMap((draft) => draft.deltas)
      expect(JSON.stringify(read)).toBe(JSON.stringify(deltas))
    })

    it('[RUN3] keeps every delta when many writers append at the same time', async () => {
      const { store } = await open()
      const ids = ['a', 'b', 'c', 'd']
      const epochs = await Promise.all(ids.map((id) => running(store, id)))
      const deltas = textDeltas(
        'step_1',
        Array.from({ length: 25 }, (_, index) => `word ${index} `),
      )
      await Promise.all(
        ids.map(async (id, index) => {
          for (const delta of deltas) await store.appendDrafts([chunk(id, 'step_1', epochs[index] ?? 0, [delta])])
        }),
      )
      for (const id of ids) expect(await store.readDrafts(id)).toMatchObject([{ deltas }])
    })
  })
}

/** Begins a conversation with a run and an open step; gives the epoch of a lease that its own test may take over. */
async function running(store: EntryStore, conversationId: string): Promise<number> {
  await begin(store, conversationId, [runStarted('run_1', 'turn'), stepStarted('run_1', 'step_1', 'turn')])
  const lease = await store.acquireLease({ conversationId, holder: 'writer', ttlMs: 0 })
  return lease?.epoch ?? 0
}

function chunk(conversationId: string, stepId: string, epoch: number, deltas: readonly DraftDelta[]): DraftChunk {
  return { conversationId, runId: 'run_1', stepId, startedSeq: 3, epoch, deltas }
}

/** The deltas of one block of text, in order. */
function textDeltas(stepId: string, words: readonly string[]): DraftDelta[] {
  let offset = 0
  return words.map((text, index) => {
    const delta: DraftDelta = { stepId, block: 0, offset, text, ...(index === 0 ? { start: { type: 'text' } } : {}) }
    offset += text.length
    return delta
  })
}

function folded(stepId: string, deltas: readonly DraftDelta[]): Draft {
  return deltas.reduce((draft, delta) => applyDelta(draft, delta).draft, emptyDraft(stepId))
}
