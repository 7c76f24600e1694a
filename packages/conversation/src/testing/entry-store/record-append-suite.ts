import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AppendedRecord } from '../../store/entry-log.ts'
import { type RecordKind, RevisionConflictError } from '../../store/records.ts'
import { AppendConflictError } from '../../store/store-errors.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { begin, beginning, errorOf, inputs, OWNER, readLog, settled } from './appending.ts'

const note: RecordKind<string> = { kind: 'note', schema: z.string() }

/** Records as part of an append. */
export function describeRecordAppends(harness: StoreHarness): void {
  describe('records of appends', () => {
    const open = useStores(harness)

    it('[SCHED6] writes records with the entries, also after a restart, and tells them in the feed', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [])
      await opened.store.append({ ...inputs('a', 1, ['one']), records: [record('x', 0, 'new'), record('y', 0, 'too')] })
      await opened.store.append({ ...inputs('a', 2, ['two']), records: [record('x', 1, 'changed')] })
      const { store, records } = await opened.reopen()
      expect(await readLog(store, 'a')).toHaveLength(3)
      expect(await records.get(note, { ownerId: OWNER, id: 'x' })).toMatchObject({
        revision: 2,
        value: 'changed',
        updatedAt: 1_002,
      })
      expect((await records.changes(0, 10)).map(({ id }) => id)).toEqual(['y', 'x'])
    })

    it('[SCHED6] writes neither where a record is at another revision, or the log ends elsewhere', async () => {
      const { store, records } = await open()
      const both = [record('fresh', 0, 'new'), record('taken', 0, 'late')]
      await records.put(note, { ownerId: OWNER, id: 'taken', revision: 0, value: 'first', at: 1 })
      const refused = await errorOf(store.append({ ...beginning('a', []), records: both }), RevisionConflictError)
      expect(refused.currentRevision).toBe(1)
      expect(await readLog(store, 'a')).toEqual([])
      await begin(store, 'a', [])
      await errorOf(
        store.append({ ...inputs('a', 7, ['one']), records: [record('fresh', 0, 'new')] }),
        AppendConflictError,
      )
      expect(await records.list(note, { ownerId: OWNER, limit: 10 })).toMatchObject([{ id: 'taken', value: 'first' }])
    })

    it('[SCHED6] lets exactly one of eight begin a log with the same record', async () => {
      const { store } = await open()
      for (let round = 0; round < 10; round++) {
        const appends = Array.from({ length: 8 }, (_, index) =>
          store.append({ ...beginning(`race ${round} ${index}`, []), records: [record(`claim ${round}`, 0, 'mine')] }),
        )
        const { kept, refused } = await settled(appends)
        expect(kept).toHaveLength(1)
        expect(refused.every((error) => error instanceof RevisionConflictError)).toBe(true)
        const logs = await Promise.all(appends.map((_, index) => readLog(store, `race ${round} ${index}`)))
        expect(logs.filter((log) => log.length > 0)).toHaveLength(1)
      }
    })
  })
}

function record(id: string, revision: number, value: string): AppendedRecord {
  return { kind: note.kind, ownerId: OWNER, id, revision, value }
}
