import { type EntryStore, StoreWriteError } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { says } from '@holdfast/engine/testing'
import { expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'

/** More entries than a log goes on with without a snapshot. */
const MANY = 330

function withoutSnapshots(store: EntryStore): EntryStore {
  return {
    ...store,
    async writeSnapshots() {
      throw new StoreWriteError('disk-full', 'No snapshot can be written')
    },
  }
}

/** Each opening of the log tells of it. */
function codesOf(faults: readonly unknown[]): readonly string[] {
  return [...new Set(faults.map((fault) => (fault instanceof StoreWriteError ? fault.code : String(fault))))]
}

it('[PRJ2] appends, opens and reads where no snapshot can be written, and says so', async () => {
  const harness = await openHarness([says('One')], [], null, { lineTo: withoutSnapshots })
  const { conversationId, engine } = harness
  const actor = { type: 'person', userId: 'user_1' } as const
  for (let count = 1; count <= MANY; count++)
    await engine.changeConversation({ commandId: `title-${count}`, actor, conversationId, title: `Title ${count}` })
  expect(codesOf(harness.faults)).toEqual(['disk-full'])
  const again = await harness.restart([says('One')])
  await again.send('Hi', 'send-1')
  await again.until('run-finished', 1)
  expect((await again.log()).at(-1)).toMatchObject({ outcome: 'completed' })
  expect(codesOf(again.faults)).toEqual(['disk-full'])
  const { state } = await readOverview(withoutSnapshots(again.store), conversationId)
  expect(state.title.text).toBe(`Title ${MANY}`)
  await Promise.all([engine.close(), again.engine.close()])
})
