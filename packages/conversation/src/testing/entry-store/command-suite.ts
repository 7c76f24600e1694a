import { describe, expect, it } from 'vitest'
import type { Append } from '../../store/entry-log.ts'
import { AppendConflictError, CommandReusedError } from '../../store/store-errors.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { begin, beginning, errorOf, inputs, readLog, settled } from './appending.ts'
import { ODD_IDS } from './odd-text.ts'

const COMMAND = { commandId: 'command_1', fingerprint: 'hello' } as const

/** Commands that are sent more than once. */
export function describeCommands(harness: StoreHarness): void {
  describe('commands', () => {
    const open = useStores(harness)

    it('[LOG4] answers a repeated command with the first answer and has no second effect', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const append: Append = { ...inputs('a', 1, ['Hello', 'again']), command: COMMAND }
      const first = await store.append(append)
      expect(first.repeated).toBe(false)
      await store.append(inputs('a', 3, ['from elsewhere']))
      expect(await store.append(append)).toEqual({ entries: first.entries, repeated: true })
      expect(await store.append({ ...append, after: 4, at: 9_000 })).toEqual({ entries: first.entries, repeated: true })
      expect(await readLog(store, 'a')).toHaveLength(4)
    })

    it('[LOG4] answers a repeated command with the first answer after a restart', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [])
      const append: Append = { ...inputs('a', 1, ['Hello']), command: COMMAND }
      const first = await opened.store.append(append)
      const { store } = await opened.reopen()
      expect(await store.append(append)).toEqual({ entries: first.entries, repeated: true })
      expect(await readLog(store, 'a')).toHaveLength(2)
    })

    it('[LOG4] carries out a command once when it is sent eight times at the same time', async () => {
      const { store } = await open()
      for (let round = 0; round < 20; round++) {
        const id = `race ${round}`
        await begin(store, id, [])
        const append: Append = { ...inputs(id, 1, ['Hello', 'you']), command: COMMAND }
        const { kept, refused } = await settled(Array.from({ length: 8 }, () => store.append(append)))
        expect(refused).toEqual([])
        expect(kept.filter(({ repeated }) => !repeated)).toHaveLength(1)
        for (const { entries } of kept) expect(entries).toEqual(kept[0]?.entries)
        expect(await readLog(store, id)).toHaveLength(3)
      }
    })

    it('[LOG4] begins a log once when the command that does is sent eight times at the same time', async () => {
      const { store } = await open()
      for (let round = 0; round < 20; round++) {
        const append: Append = { ...beginning(`race ${round}`, []), command: COMMAND }
        const { kept, refused } = await settled(Array.from({ length: 8 }, () => store.append(append)))
        expect(refused).toEqual([])
        expect(kept.filter(({ repeated }) => !repeated)).toHaveLength(1)
        expect(await readLog(store, `race ${round}`)).toEqual(kept[0]?.entries)
      }
    })

    it('[LOG4] refuses a command id that was used for something else, and does nothing', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [])
      await opened.store.append({ ...inputs('a', 1, ['Hello']), command: COMMAND })
      const other: Append = { ...inputs('a', 2, ['Other']), command: { ...COMMAND, fingerprint: 'other' } }
      const refused = await errorOf(opened.store.append(other), CommandReusedError)
      expect(refused.commandId).toBe('command_1')
      const { store } = await opened.reopen()
      await errorOf(store.append(other), CommandReusedError)
      expect(await readLog(store, 'a')).toHaveLength(2)
    })

    it('[LOG4] does not use up a command whose append was refused', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await errorOf(store.append({ ...inputs('a', 0, ['late']), command: COMMAND }), AppendConflictError)
      const other = { ...COMMAND, fingerprint: 'other' }
      expect(await store.append({ ...inputs('a', 1, ['Hello']), command: other })).toMatchObject({ repeated: false })
    })

    it('[LOG4] keeps the commands of different conversations apart, whatever their letters', async () => {
      const { store } = await open()
      for (const id of ['a', 'b']) await begin(store, id, [])
      let after = 1
      for (const commandId of ODD_IDS) {
        for (const id of ['a', 'b']) {
          const appended = await store.append({
            ...inputs(id, after, [commandId]),
            command: { commandId, fingerprint: id },
          })
          expect(appended.repeated).toBe(false)
        }
        after += 1
      }
    })
  })
}
